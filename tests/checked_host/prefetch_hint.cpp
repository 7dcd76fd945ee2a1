/// Tests prefetch hints: states are downloaded with the records in one wait, and have the CPU's
/// bits whether they are read or not.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/device_fetches.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::count_different;

test::ScenarioBatch mats(Precision precision, int n_env) {
  return {"scenarios/soft_mat/soft_mat.yaml",
          precision,
          {"environments=" + std::to_string(n_env), "time.step_s=0.005",
           "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 300}}",
           "obstacles={floor: {shape: half_space, friction: 0.4}, ball: {shape: sphere, radius_m: "
           "0.05, friction: 0.7, path: [{time_s: 0, position_m: [0.1, 0.1, -0.04]}, {time_s: 1, "
           "position_m: [0.3, 0.1, 0]}]}}"}};
}

bool is_frame(int env, int step) {
  return env != 2 && step % 2 == 0;
}

/// Values that a recorder reads from the simulations.
struct Frames {
  std::vector<Vec3d> values;

  void add(const StepView& view) {
    const State& state = view.state();
    values.insert(values.end(), state.x.begin(), state.x.end());
    values.insert(values.end(), state.v.begin(), state.v.end());
    values.insert(values.end(), view.lambda().begin(), view.lambda().end());
    for (const ContactSides& sides : view.contact_sides()) values.push_back(sides.slip_velocity);
  }
};

void expect_same_frames(BothBackends* pair, int n, const std::function<bool(int, int)>& takes) {
  Frames of_cpu, of_device;
  const auto see = [&](Frames* frames) {
    return [frames, &takes](const StepView& view) {
      if (takes(view.record.env, view.record.step)) frames->add(view);
    };
  };
  for (int k = 0; k < n; ++k) {
    pair->cpu.step(see(&of_cpu));
    pair->device.step(see(&of_device));
  }
  EXPECT_GT(of_cpu.values.size(), 100);
  EXPECT_EQ(count_different(of_cpu.values, of_device.values), 0);
}

class DeviceForeseenStepsIn : public testing::TestWithParam<Precision> {
 protected:
  void TearDown() override { checked_host().has_pages = true; }
};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceForeseenStepsIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceForeseenStepsIn, HaveTheBitsOfTheCpu) {
  BothBackends pair(mats(GetParam(), 5));
  pair.both([](Simulation* s) { s->set_prefetch_hint(is_frame); });
  expect_same_frames(&pair, 5, is_frame);
  // Reads other states than the hints name, and ignores some that they name.
  expect_same_frames(&pair, 5, [](int env, int step) { return (env + step) % 3 == 0; });
  pair.both([](Simulation* s) { s->reset(1, s->scene(2)); });
  expect_same_frames(&pair, 3, is_frame);
  checked_host().has_pages = false;
  pair.both([](Simulation* s) { s->set_prefetch_hint([](int, int) { return true; }); });
  expect_same_frames(&pair, 2, [](int, int) { return true; });
  pair.both([](Simulation* s) { s->set_prefetch_hint({}); });
  pair.step(2);
}

/// One environment fails; the states of the others are still downloaded.
TEST_P(DeviceForeseenStepsIn, OneThatFailsHindersNone) {
  BothBackends pair(mats(GetParam(), 5));
  pair.both([](Simulation* s) { s->set_prefetch_hint([](int env, int) { return env != 2; }); });
  pair.step_records(3);
  pair.both([](Simulation* s) {
    State state = s->state(3);
    state.v.front().z = std::numeric_limits<double>::infinity();
    s->set_state(3, state);
    s->set_frame_target(2, "ball", {{std::nan(""), 0, 0}, Mat3d::identity()}, 0.1);
  });
  pair.step_records(1);
  EXPECT_TRUE(pair.device.failed(2) && pair.device.failed(3));
  pair.step(2);
}

/// Steps with external forces end on the host and are downloaded together.
TEST(DeviceForeseenSteps, OfAllThatCannotBeLeftComeTogether) {
  std::vector<std::int64_t> waits;
  for (const int n_env : {2, 8}) {
    test::ScenarioBatch batch(
        "scenarios/soft_mat/soft_mat.yaml", Precision::mixed,
        {"environments=" + std::to_string(n_env),
         "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 100}}",
         "pushes={shove: {body: mat, force_N: [0, 0.1, 0], from_s: 0, duration_s: 1}}"});
    BothBackends pair(batch);
    pair.both([](Simulation* s) { s->set_prefetch_hint([](int env, int) { return env == 1; }); });
    pair.step(2);
    pair.step_records(1);
    const std::int64_t before = checked_host().n_wait;
    pair.device.step();
    waits.push_back(checked_host().n_wait - before);
  }
  EXPECT_EQ(waits[0], waits[1]);
}

TEST(DeviceForeseenSteps, ComeAloneAndInOneWait) {
  Simulation simulation = mats(Precision::double_, 8).on(Backend::cuda);
  for (int step = 0; step < 4; ++step) simulation.step();
  CheckedHost& device = checked_host();
  const auto spent = [&](const std::function<void(const StepView&)>& each) {
    const std::int64_t bytes = device.bytes_down, waits = device.n_wait;
    simulation.step(each);
    return std::pair{device.bytes_down - bytes, device.n_wait - waits};
  };
  const auto [bytes, waits] = spent({});
  simulation.set_prefetch_hint([](int env, int) { return env == 1 || env == 5 || env == 6; });
  std::int64_t own = 0;
  const auto [with_frames, waits_with] = spent([&](const StepView& view) {
    if (view.record.env == 1 || view.record.env == 6 || view.record.env == 5)
      own += 72 * static_cast<std::int64_t>(view.state().x.size()) +
             28 * static_cast<std::int64_t>(view.contacts().size());
  });
  EXPECT_EQ(with_frames - bytes, own + 4 * 2);  // two runs of neighbours
  EXPECT_EQ(waits_with - waits, 1);
}

TEST(DeviceFetches, AreThereWhenTheyAreTaken) {
  const OwnedStream stream("test");
  for (const bool has_pages : {true, false}) {
    checked_host().has_pages = has_pages;
    DeviceFetches fetches;
    for (int round = 0; round < 3; ++round) {
      std::vector<std::vector<int>> here;
      std::vector<DeviceBuffer<int>> there;
      std::vector<std::vector<int>> to;
      for (const int n : {1, 0, 5000, 70000, 3, 200000}) {
        here.emplace_back();
        for (int k = 0; k < n; ++k) here.back().push_back(k + n + round);
        there.emplace_back(here.back());
        to.emplace_back(here.back().size(), -7);
      }
      for (std::size_t k = 0; k < to.size(); ++k)
        fetches.add(to[k].data(), there[k].data(), to[k].size() * sizeof(int), stream.get());
      EXPECT_EQ(to[0][0], has_pages ? -7 : here[0][0]);
      fetches.take("test", stream.get());
      EXPECT_EQ(to, here);
    }
  }
  checked_host().has_pages = true;
}

}  // namespace
}  // namespace nodia
