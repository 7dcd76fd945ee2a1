/// Tests steps that are launched before the host has read the report of the step before: they have
/// the CPU's bits and records, whatever stops them or occurs between them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/device/stream.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::count_different;
using test::same_bits;
using testing::HasSubstr;

test::ScenarioBatch free_mats(Precision precision, std::vector<std::string> overrides) {
  overrides.insert(overrides.begin(), {"attachments={}", "pushes={}", "time.step_s=0.005"});
  return test::soft_mats(precision, std::move(overrides));
}

/// Mats on a moving floor; W is rebuilt in every fourth step.
const std::vector<std::string> kShaken = {
    "environments=3", "solver.w_recycle_steps=4",
    "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 200}}",
    "obstacles={floor: {shape: half_space, friction: 0.4, path: [{time_s: 0}, {time_s: 0.2, "
    "position_m: [0.05, 0, 0.01], orientation_wxyz: [0.999, 0, 0.04471, 0]}]}}"};

/// After some steps, a ball rises through a resting floor: nodes in two contacts.
const std::vector<std::string> kPushedUp = {
    "environments=3", "solver.w_recycle_steps=4",
    "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 200}}",
    "obstacles={floor: {shape: half_space, friction: 0.4}, ball: {shape: sphere, radius_m: 0.05, "
    "friction: 0.7, path: [{time_s: 0.03, position_m: [0.1, 0.1, -0.2]}, {time_s: 0.05, "
    "position_m: [0.1, 0.1, -0.049]}, {time_s: 0.3, position_m: [0.16, 0.1, -0.02]}]}}"};

/// Records of n steps that are announced in advance.
std::vector<StepRecord> records_of(Simulation* simulation, int n,
                                   const std::function<bool()>& go_on = {}) {
  std::vector<StepRecord> records;
  simulation->run(
      n, [&](const StepView& view) { records.push_back(view.record); }, go_on);
  return records;
}

void expect_same_records(const std::vector<StepRecord>& of_cpu,
                         const std::vector<StepRecord>& of_device) {
  ASSERT_EQ(of_cpu.size(), of_device.size());
  for (std::size_t r = 0; r < of_cpu.size() && !testing::Test::HasFailure(); ++r) {
    SCOPED_TRACE(testing::Message()
                 << "environment " << of_cpu[r].env << ", step " << of_cpu[r].step);
    EXPECT_EQ(of_cpu[r].env, of_device[r].env);
    EXPECT_EQ(of_cpu[r].step, of_device[r].step);
    EXPECT_TRUE(same_bits(test::numbers_of(of_cpu[r]), test::numbers_of(of_device[r])));
    EXPECT_EQ(of_cpu[r].solve.reason, of_device[r].solve.reason);
    EXPECT_EQ(of_cpu[r].solve.restarts, of_device[r].solve.restarts);
  }
}

void expect_same_states(const BothBackends& pair) {
  for (int e = 0; e < pair.cpu.n_env(); ++e) {
    SCOPED_TRACE(testing::Message() << "environment " << e);
    EXPECT_EQ(pair.cpu.failed(e), pair.device.failed(e));
    EXPECT_EQ(pair.cpu.n_step(e), pair.device.n_step(e));
    EXPECT_EQ(count_different(pair.cpu.state(e).x, pair.device.state(e).x), 0);
    EXPECT_EQ(count_different(pair.cpu.state(e).v, pair.device.state(e).v), 0);
  }
}

/// Number of the device's graph launches in n steps.
std::int64_t run_both(BothBackends* pair, int n) {
  const std::int64_t before = checked_host().n_graph_launch;
  const std::vector<StepRecord> of_device = records_of(&pair->device, n);
  const std::int64_t graphs = checked_host().n_graph_launch - before;
  expect_same_records(records_of(&pair->cpu, n), of_device);
  return graphs;
}

TEST(DeviceStepsAhead, AreAGraphAndTwoCopiesEachAndAWaitForTwo) {
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    SCOPED_TRACE(name_of(precision));
    Simulation simulation = free_mats(precision, kShaken).on(Backend::cuda);
    for (int step = 0; step < 3; ++step) simulation.step();
    const CheckedHost& device = checked_host();
    const std::int64_t graphs = device.n_graph_launch, waits = device.n_wait,
                       copies = device.n_copy, launches = device.n_launch;
    simulation.run(12, {});
    EXPECT_EQ(device.n_graph_launch - graphs, 12);
    EXPECT_EQ(device.n_wait - waits, 6);
    EXPECT_EQ(device.n_copy - copies, 24);
    EXPECT_EQ(device.n_launch - launches, 0);
    EXPECT_EQ(simulation.n_step(0), 15);
  }
}

class DeviceStepsAheadIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceStepsAheadIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceStepsAheadIn, HaveTheBitsOfTheCpuWhateverComesBetween) {
  BothBackends pair(free_mats(GetParam(), kShaken));
  EXPECT_EQ(run_both(&pair, 9), 9);
  expect_same_states(pair);
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "floor", {{0.02, 0, 0.02}, Mat3d::identity()}, 0.03);
  });
  EXPECT_EQ(run_both(&pair, 7), 7);
  const Checkpoint saved = pair.device.save(2);
  EXPECT_EQ(run_both(&pair, 2), 2);
  pair.both([&](Simulation* s) { s->load(2, saved); });
  pair.both([](Simulation* s) { s->reset(0, s->scene(1)); });
  EXPECT_EQ(run_both(&pair, 6), 6);
  pair.step_records(1);
  EXPECT_EQ(run_both(&pair, 1), 1);
  pair.cpu.steps(5);
  pair.device.steps(5);
  expect_same_states(pair);
}

/// Steps behind the step that lacks room do nothing; they are launched again together with it.
TEST_P(DeviceStepsAheadIn, ContactsThatAskForRoomHaltThem) {
  BothBackends pair(free_mats(GetParam(), kPushedUp));
  EXPECT_EQ(run_both(&pair, 6), 6);
  const std::int64_t graphs = run_both(&pair, 24);
  EXPECT_GT(graphs, 24 + 1) << "some were launched twice beside those that asked";
  EXPECT_LT(graphs, 24 + 5 * 4);
  expect_same_states(pair);
}

TEST_P(DeviceStepsAheadIn, AnEnvironmentThatFailsHaltsThem) {
  std::vector<std::string> overrides = kShaken;
  overrides.emplace_back(
      "obstacles.floor.path=[{time_s: 0.04}, {time_s: 0.041, position_m: [0, 0, 1.0e+200]}]");
  BothBackends pair(free_mats(GetParam(), overrides));
  pair.both([](Simulation* s) {
    for (const int env : {0, 2}) s->set_frame_target(env, "floor", Pose{}, 0.01);
  });
  const std::int64_t graphs = run_both(&pair, 14);
  EXPECT_TRUE(pair.device.failed(1));
  EXPECT_FALSE(pair.device.failed(0) || pair.device.failed(2));
  EXPECT_GT(pair.device.n_step(1), 4);
  EXPECT_LT(pair.device.n_step(1), 12);
  EXPECT_GT(graphs, 14);
  EXPECT_LE(graphs, 14 + 3);
  expect_same_states(pair);
}

TEST_P(DeviceStepsAheadIn, EndBeforeAFrameThatWasForeseen) {
  BothBackends pair(free_mats(GetParam(), kShaken));
  const auto is_frame = [](int env, int step) { return env == 1 && step % 5 == 0; };
  std::vector<std::vector<Vec3d>> frames[2];
  std::size_t k = 0;
  pair.both([&](Simulation* s) {
    s->set_prefetch_hint(is_frame);
    s->run(17, [&](const StepView& view) {
      if (!is_frame(view.record.env, view.record.step)) return;
      frames[k].push_back(view.state().x);
      frames[k].emplace_back(view.lambda().begin(), view.lambda().end());
    });
    ++k;
  });
  ASSERT_EQ(frames[0].size(), 6);
  ASSERT_EQ(frames[1].size(), 6);
  for (std::size_t f = 0; f < 6; ++f) EXPECT_EQ(count_different(frames[0][f], frames[1][f]), 0);
  expect_same_states(pair);
}

/// A safe iteration leaves a W that the next step must not use.
TEST(DeviceStepsAhead, ASafeIterationHaltsThem) {
  std::vector<std::string> overrides = kShaken;
  for (const char* own : {"environments=2", "solver.max_iterations=600", "solver.tolerance=1e-16",
                          "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 60}}"})
    overrides.emplace_back(own);
  BothBackends pair(free_mats(Precision::float_, overrides));
  run_both(&pair, 2);
  const std::int64_t before = checked_host().n_graph_launch;
  const std::vector<StepRecord> of_device = records_of(&pair.device, 6);
  EXPECT_GT(checked_host().n_graph_launch - before, 6);
  EXPECT_TRUE(std::any_of(of_device.begin(), of_device.end(),
                          [](const StepRecord& record) { return record.solve.restarts > 0; }));
  expect_same_records(records_of(&pair.cpu, 6), of_device);
  expect_same_states(pair);
}

/// Resting frames need no uploads; with a moving frame the host waits in every step.
TEST_P(DeviceStepsAheadIn, AttachNodesWhereAttachmentsRest) {
  std::vector<std::string> overrides = kShaken;
  overrides.emplace_back(
      "attachments={grip: {body: mat, node_set: x_max, stiffness_N_m: 2000, position_m: [0.3, "
      "0.15, 0.004], path: [{time_s: 0.05}, {time_s: 0.1, position_m: [0.31, 0.15, 0.02]}]}}");
  BothBackends pair(free_mats(GetParam(), overrides));
  run_both(&pair, 2);
  const std::int64_t before = checked_host().n_wait;
  pair.device.run(6, {});  // none of them begins at 0.05 s
  EXPECT_EQ(checked_host().n_wait - before, 3);
  records_of(&pair.cpu, 6);
  EXPECT_EQ(run_both(&pair, 20), 20);
  expect_same_states(pair);
  pair.both([](Simulation* s) { s->set_holding(1, "grip", false); });
  EXPECT_EQ(run_both(&pair, 6), 6);
  expect_same_states(pair);
}

/// Reading data without a prefetch hint throws, and the steps continue.
TEST(DeviceStepsAhead, WhatWasNotForeseenIsRefusedInWords) {
  BothBackends pair(free_mats(Precision::double_, kShaken));
  run_both(&pair, 3);
  std::string error = "no error";
  try {
    pair.device.run(10, [](const StepView& view) {
      if (view.record.step == 5) static_cast<void>(view.state());
    });
  } catch (const RuntimeError& thrown) {
    error = thrown.what();
  }
  EXPECT_THAT(error, HasSubstr("has begun later steps"));
  EXPECT_THAT(error, HasSubstr("set_prefetch_hint()"));
  const int n = pair.device.n_step(0);
  EXPECT_GT(n, 5);
  EXPECT_LT(n, 10);
  records_of(&pair.cpu, n - 3);
  expect_same_states(pair);
  run_both(&pair, 4);
  expect_same_states(pair);
}

TEST(DeviceStepsAhead, AreTakenWhenTheRunIsToEnd) {
  BothBackends pair(free_mats(Precision::mixed, kShaken));
  run_both(&pair, 3);
  int n_asked = 0;
  const std::vector<StepRecord> of_device =
      records_of(&pair.device, 50, [&] { return ++n_asked < 4; });
  const auto n = static_cast<int>(of_device.size()) / 3;
  EXPECT_EQ(n_asked, n);
  EXPECT_GT(n, 4);
  EXPECT_LE(n, 4 + 3);
  expect_same_records(records_of(&pair.cpu, n), of_device);
  expect_same_states(pair);
}

/// A command during a run is too late for steps that have started.
TEST(DeviceStepsAhead, ACommandBetweenThemIsToldAndTheDeviceBeginsAnew) {
  Simulation simulation = free_mats(Precision::double_, kShaken).on(Backend::cuda);
  simulation.run(3, {});
  std::string error = "no error";
  try {
    simulation.run(9, [&](const StepView& view) {
      if (view.record.step == 5 && view.record.env == 0)
        simulation.set_frame_target(0, "floor", {{1, 0, 0}, Mat3d::identity()}, 0.1);
    });
  } catch (const RuntimeError& thrown) {
    error = thrown.what();
  }
  EXPECT_THAT(error, HasSubstr("of a prefetched step was changed"));
}

TEST(DeviceStepsAhead, AFaultInOneIsTold) {
  Simulation simulation = free_mats(Precision::double_, kShaken).on(Backend::cuda);
  simulation.run(3, {});
  std::string error = "no error";
  try {
    simulation.run(9, [&](const StepView& view) {
      if (view.record.step == 5) checked_host().faulty_kernel = "keep_forces";
    });
  } catch (const RuntimeError& thrown) {
    error = thrown.what();
  }
  checked_host().faulty_kernel.clear();
  EXPECT_THAT(error,
              testing::AllOf(testing::StartsWith("V-FPI loop"), HasSubstr("illegal memory access"),
                             HasSubstr("run again with --loop checked")));
  EXPECT_THROW(simulation.state(0), RuntimeError);
}

/// Steps that the host launches run one after another.
TEST(DeviceStepsAhead, AreNoneWhereTheHostLaunches) {
  for (const LoopLauncher launcher : {LoopLauncher::launches, LoopLauncher::checked}) {
    test::ScenarioBatch pushed_up = free_mats(Precision::float_, kPushedUp);
    pushed_up.options.execution.loop = launcher;
    BothBackends pair(pushed_up);
    EXPECT_EQ(run_both(&pair, 14), 0);
    expect_same_states(pair);
  }
}

TEST(DeviceEvents, MakeSureOfWhatLiesBeforeThem) {
  const OwnedStream stream("test");
  DeviceBuffer<double> there(std::vector<double>{3});
  PinnedMemory pages(3 * sizeof(double));
  auto* const here = static_cast<double*>(pages.data());
  OwnedEvent first("test"), second("test");
  pages.fetch(there.data(), sizeof(double), stream.get());
  first.record(stream.get());
  there.upload(std::vector<double>{4});
  pages.fetch(there.data(), sizeof(double), stream.get(), sizeof(double));
  second.record(stream.get());
  pages.fetch(there.data(), sizeof(double), stream.get(), 2 * sizeof(double));
  const double none = here[0];
  first.wait("test");
  EXPECT_EQ(here[0], 3);
  EXPECT_FALSE(here[1] == 4 || none == 3);
  second.wait("test");
  EXPECT_EQ(here[1], 4);
  EXPECT_NE(here[2], 4);
  first.wait("test");
  synchronize_device("test", stream.get());
  EXPECT_EQ(here[2], 4);
}

}  // namespace
}  // namespace nodia
