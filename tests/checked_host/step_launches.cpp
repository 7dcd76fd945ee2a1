/// Tests the host's launches, waits and copies per step whose end stays on the device, with the
/// same bits for all launchers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/select_flagged.hpp"
#include "kernels/device/stream.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/capture.hpp"
#include "tests/devices/checked_host/checked_host.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::soft_mats;
using testing::HasSubstr;

/// Operations of the host in a step.
struct Cost {
  std::int64_t graphs = 0, launches = 0, waits = 0, copies = 0;

  static Cost so_far() {
    const CheckedHost& device = checked_host();
    return {device.n_graph_launch, device.n_launch, device.n_wait, device.n_copy};
  }
  static Cost since(const Cost& start) {
    const Cost now = so_far();
    return {now.graphs - start.graphs, now.launches - start.launches, now.waits - start.waits,
            now.copies - start.copies};
  }
  bool operator==(const Cost&) const = default;
  friend void PrintTo(const Cost& c, std::ostream* to) {
    *to << c.graphs << " graphs, " << c.launches << " launches, " << c.waits << " waits, "
        << c.copies << " copies";
  }
};

template <class Step>
Cost cost_of(const Step& step) {
  const Cost start = Cost::so_far();
  step();
  return Cost::since(start);
}

constexpr Cost kOneGraph{.graphs = 1, .launches = 0, .waits = 1, .copies = 2};

/// The number of nodes with none to three contacts grows.
const std::vector<std::string> kSinkingCorner = {
    "time.step_s=0.005", "attachments={}", "pushes={}",
    "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 150}}",
    "obstacles={floor: {shape: half_space, friction: 0.4, path: [{time_s: 0, position_m: [0, 0, "
    "0.19]}, {time_s: 1, position_m: [0, 0, 0.23]}]}, wall: {shape: half_space, friction: 0.1, "
    "orientation_wxyz: [0.7071067811865476, 0, 0.7071067811865476, 0], position_m: [-0.001, 0, "
    "0]}, side: {shape: half_space, friction: 0, orientation_wxyz: [0.7071067811865476, "
    "-0.7071067811865476, 0, 0], position_m: [0, -0.001, 0]}}"};

TEST(DeviceStepLaunches, AStepThatIsLeftIsOneGraphOneWaitAndACopyEachWay) {
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    SCOPED_TRACE(name_of(precision));
    Simulation simulation =
        soft_mats(precision, {"environments=3", "attachments={}", "solver.w_recycle_steps=4",
                              "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 60}}"})
            .on(Backend::cuda);
    for (int step = 0; step < 3; ++step) simulation.step();
    for (int step = 0; step < 6; ++step)  // some of them rebuild W
      EXPECT_EQ(cost_of([&] { simulation.step(); }), kOneGraph);
  }
}

/// Counts the recorded graphs.
TEST(DeviceStepLaunches, AStepAfterAResetIsAGraphAndTheNextOneCostsWhatItDid) {
  Simulation simulation =
      soft_mats(Precision::double_,
                {"environments=3", "attachments={}", "solver.w_recycle_steps=4",
                 "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 60}}"})
          .on(Backend::cuda);
  for (int step = 0; step < 8; ++step) simulation.step();
  const std::size_t n_recorded = checked_host().recordings.size();
  for (const int env : {1, 2}) {
    simulation.reset(env, simulation.scene(0));
    EXPECT_EQ(cost_of([&] { simulation.step(); }).graphs, 1);
    for (int step = 0; step < 3; ++step) EXPECT_EQ(cost_of([&] { simulation.step(); }), kOneGraph);
  }
  EXPECT_LE(checked_host().recordings.size(), n_recorded + 1);  // graph in which no nodes
                                                                // advance
}

/// A moving frame of attached nodes needs copies of its own.
TEST(DeviceStepLaunches, AttachedNodesCostCopiesMoreWhereTheirFrameMoves) {
  Simulation simulation = soft_mats(Precision::double_, {}).on(Backend::cuda);
  for (int step = 0; step < 3; ++step) simulation.step();
  EXPECT_EQ(cost_of([&] { simulation.step(); }), kOneGraph);
  simulation.set_frame_target(0, "grip", {{0.35, 0.15, 0.01}, Mat3d::identity()}, 1);
  for (int step = 0; step < 3; ++step) simulation.step();
  const Cost cost = cost_of([&] { simulation.step(); });
  EXPECT_EQ(cost.graphs, 1);
  EXPECT_EQ(cost.launches, 0);
  EXPECT_EQ(cost.waits, 1 + 3);
  EXPECT_EQ(cost.copies, 2 + 3);
}

/// Poses are uploaded with other data; rows with several contacts request room in the graph.
TEST(DeviceStepLaunches, ObstaclesThatMoveAndRowsInSeveralContactsCostNoMore) {
  BothBackends pair(soft_mats(Precision::double_, kSinkingCorner));
  int n_more_room = 0;
  for (int step = 0; step < 25 && !HasFailure(); ++step) {
    const Cost cost = cost_of([&] { pair.step_records(1); });  // the CPU has no such costs
    if (cost.graphs == 2) {
      ++n_more_room;
    } else if (step > 1) {
      EXPECT_EQ(cost, kOneGraph);
    }
  }
  EXPECT_GT(n_more_room, 0);
  EXPECT_LT(n_more_room, 5);
  pair.step(1);
  EXPECT_GT(pair.most_contacts, 100);
}

class DeviceStepLaunchesBy : public testing::TestWithParam<LoopLauncher> {};

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceStepLaunchesBy,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches,
                                         LoopLauncher::checked),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceStepLaunchesBy, AllGiveTheCpusBits) {
  test::ScenarioBatch corner = soft_mats(Precision::mixed, kSinkingCorner);
  corner.options.execution.loop = GetParam();
  BothBackends pair(corner);
  pair.step_records(12);
  pair.step(3);
  pair.step_records(5);
}

/// Faults in the graph of a step are reported by name or with a hint.
TEST_P(DeviceStepLaunchesBy, AFaultInTheStepIsTold) {
  for (const char* kernel : {"can_be_taken", "take_ends", "keep_forces", "update_queue"}) {
    SCOPED_TRACE(kernel);
    test::ScenarioBatch corner = soft_mats(Precision::double_, kSinkingCorner);
    corner.options.execution.loop = GetParam();
    BothBackends pair(corner);
    pair.step(3);
    checked_host().faulty_kernel = kernel;
    std::string error = "no error";
    try {
      pair.device.step();
    } catch (const RuntimeError& thrown) {
      error = thrown.what();
    }
    checked_host().faulty_kernel.clear();
    EXPECT_THAT(error, HasSubstr("illegal memory access"));
    if (GetParam() == LoopLauncher::checked)
      EXPECT_THAT(error, testing::StartsWith(kernel));
    else
      EXPECT_THAT(error, testing::AllOf(testing::StartsWith("V-FPI loop"),
                                        HasSubstr("run again with --loop checked")));
  }
}

/// The step fails with a message instead of retrying forever.
TEST_P(DeviceStepLaunchesBy, RoomThatIsNeverFoundIsToldInWords) {
  test::ScenarioBatch corner = soft_mats(Precision::double_, kSinkingCorner);
  corner.options.execution.loop = GetParam();
  Simulation simulation = corner.on(Backend::cuda);
  simulation.step();
  checked_host().dropped_kernel = "can_be_taken";
  std::string error = "no error";
  try {
    simulation.step();
  } catch (const RuntimeError& thrown) {
    error = thrown.what();
  }
  checked_host().dropped_kernel.clear();
  EXPECT_EQ(error, "V-FPI loop: contacts that have room were not placed");
}

TEST(DeviceCapture, HoldsSelections) {
  const OwnedStream stream("test");
  DeviceBuffer<std::uint8_t> flag(std::vector<std::uint8_t>{0, 1, 0, 1});
  DeviceBuffer<std::int32_t> selected(4), n_selected(1);
  DeviceSelectFlagged select(4);
  CheckedHostGraph graph;
  std::string kernels;
  capture_on_checked_host(stream.get(), &graph, &kernels);
  select(flag.data(), 4, selected.data(), n_selected.data(), stream.get());
  capture_on_checked_host(stream.get(), nullptr, nullptr);
  EXPECT_EQ(n_selected.download().front(), -1) << "poison";
  graph.run();
  EXPECT_EQ(n_selected.download().front(), 2);
  flag.upload(std::vector<std::uint8_t>{1, 1, 0, 1});
  graph.run();
  EXPECT_EQ(n_selected.download().front(), 3);
}

TEST(DeviceCapture, HoldsLaunchesAndCopiesOfPinnedMemoryAndNothingThatWaits) {
  const OwnedStream stream("test");
  DeviceBuffer<double> a(1), b(1);
  PinnedMemory pinned(sizeof(double));
  auto* const here = static_cast<double*>(pinned.data());
  CheckedHostGraph graph;
  std::string kernels;
  capture_on_checked_host(stream.get(), &graph, &kernels);
  pinned.send(a.data(), 0, sizeof(double), stream.get());
  copy_on_device(b.data(), a.data(), sizeof(double), stream.get());
  device_clear(a.data(), sizeof(double), stream.get());
  pinned.fetch(b.data(), sizeof(double), stream.get());
  double number = 0;
  const auto error_of = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const RuntimeError& error) {
      return error.what();
    }
    return "no error";
  };
  for (const std::string& error :
       {error_of([&] { copy_to_device(a.data(), &number, sizeof number, stream.get()); }),
        error_of([&] { copy_to_host(&number, a.data(), sizeof number, stream.get()); }),
        error_of([&] { synchronize_device("synchronize_device", stream.get()); })})
    EXPECT_THAT(error, HasSubstr("the stream captures"));
  capture_on_checked_host(stream.get(), nullptr, nullptr);
  for (const double value : {3.0, 4.0}) {
    *here = value;
    graph.run();
    *here = 0;
    synchronize_device("test", stream.get());
    EXPECT_EQ(*here, value);
    EXPECT_EQ(a.download(stream.get()).front(), 0);
  }
}

}  // namespace
}  // namespace nodia
