/// Steps of soft bodies that can touch each other or themselves are left on the device while they
/// do not, and built on the host while they do: the CPU's bits throughout. Names hold `Device`, as
/// those of all its tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "kernels/core/error.hpp"
#include "kernels/emulated/emulated_device.hpp"
#include "tests/emulated/both_backends.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::count_different;

/// Two balls on a floor, of which one rolls against the other and back.
test::ScenarioBatch balls(Precision precision, std::vector<std::string> more = {}) {
  const std::string own =
      "youngs_modulus_Pa: 1e5, poissons_ratio: 0.35, density_kg_m3: 1000, friction: 0.1";
  std::vector<std::string> overrides = {
      "attachments={}",
      "checks={}",
      "randomize={}",
      "time.step_s=0.005",
      "obstacles={floor: {shape: half_space, friction: 0.1}}",
      "bodies={still: {mesh: {ball: {radius_m: 0.03, nodes: 60}}, position_m: [0, 0, 0.0302], " +
          own +
          "}, rolling: {mesh: {ball: {radius_m: 0.03, nodes: 60}}, position_m: [0.09, 0.004, "
          "0.0302], velocity_m_s: [-0.8, 0, 0], " +
          own + "}}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return {"scenarios/soft_mat/soft_mat.yaml", precision, overrides};
}

/// A mat over a floor that can touch itself.
test::ScenarioBatch mat(Precision precision, int n_node, std::vector<std::string> more = {}) {
  std::vector<std::string> overrides = {
      "attachments={}",
      "checks={}",
      "randomize={}",
      "time.step_s=0.005",
      "obstacles={floor: {shape: half_space, friction: 0.3}}",
      "bodies.mat.self_contact=true",
      "bodies.mat.mesh={mat: {size_m: [0.3, 0.1, 0.004], nodes: " + std::to_string(n_node) + "}}"};
  overrides.insert(overrides.end(), more.begin(), more.end());
  return {"scenarios/soft_mat/soft_mat.yaml", precision, overrides};
}

/// Its upper half lies `gap_m` above the lower one.
State folded(const Simulation& simulation, double gap_m) {
  State state = simulation.state(0);
  for (Vec3d& p : state.x) p = test::folded(p, 0.3, 0.5 * gap_m, 0.004);
  return state;
}

/// Whether the device was left with the step: what went to it and came is not of the nodes' size.
template <class Step>
bool leaves(const Simulation& simulation, const Step& step) {
  EmulatedDevice& device = emulated_device();
  device.bytes_up = device.bytes_down = 0;
  step();
  return device.bytes_up + device.bytes_down <= 8000 + 512 * simulation.n_env();
}

/// Of every step whether it was left: L; else H.
std::string kinds_of_steps(BothBackends* pair, int n) {
  std::string kinds;
  for (int k = 0; k < n && !testing::Test::HasFailure(); ++k)
    kinds += leaves(pair->device, [&] { pair->step_records(1); }) ? 'L' : 'H';
  return kinds;
}

void expect_same_states(BothBackends* pair) {
  for (int e = 0; e < pair->cpu.n_env(); ++e) {
    SCOPED_TRACE(testing::Message() << "environment " << e);
    EXPECT_EQ(count_different(pair->cpu.state(e).x, pair->device.state(e).x), 0);
    EXPECT_EQ(count_different(pair->cpu.state(e).v, pair->device.state(e).v), 0);
    EXPECT_EQ(pair->cpu.save(e).solver, pair->device.save(e).solver);
  }
}

class DeviceApartSurfacesIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceApartSurfacesIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceApartSurfacesIn, BallsAreLeftBeforeTheyMeetAndAfter) {
  BothBackends pair(balls(GetParam()));
  pair.step_records(2);
  const std::string kinds = kinds_of_steps(&pair, 50);
  EXPECT_THAT(kinds, testing::MatchesRegex("LL+HHH+LLLL+")) << kinds;
  expect_same_states(&pair);
}

TEST_P(DeviceApartSurfacesIn, AMatIsLeftUntilItFallsOnItself) {
  BothBackends pair(mat(GetParam(), 150));
  pair.step_records(2);
  EXPECT_EQ(kinds_of_steps(&pair, 3), "LLL");
  const State above = folded(pair.cpu, 0.012);
  pair.both([&](Simulation* s) { s->set_state(0, above); });
  pair.step_records(2);  // begins anew, and goes there
  const std::string kinds = kinds_of_steps(&pair, 16);
  EXPECT_THAT(kinds, testing::MatchesRegex("LL+HHHH+L*")) << kinds;
  expect_same_states(&pair);
  EXPECT_GT(pair.most_contacts, 20);
  State opened = pair.cpu.state(0);
  for (std::size_t i = 0; i < opened.x.size(); ++i) {
    opened.v[i] = {};
    if (opened.x[i].z > 6e-3) opened.x[i].z += 0.02;
  }
  pair.both([&](Simulation* s) { s->set_state(0, opened); });
  pair.step_records(2);
  EXPECT_EQ(kinds_of_steps(&pair, 2), "LL");
  expect_same_states(&pair);
}

/// As long as it does not touch itself, however it is bent and moved.
TEST(DeviceApartSurfaces, SlowAMatWhoseEdgeIsMovedOverItIsLeft) {
  BothBackends pair(mat(
      Precision::double_, 150,
      {"time.step_s=0.01",
       "attachments={grip: {body: mat, node_set: x_max, stiffness_N_m: 500, position_m: [0.3, "
       "0.05, 0.0025], path: [{time_s: 0.1}, {time_s: 0.6, position_m: [0.24, 0.05, 0.11], "
       "orientation_wxyz: [0.7071068, 0, -0.7071068, 0]}, {time_s: 1.2, position_m: [0.06, 0.05, "
       "0.03], orientation_wxyz: [0, 0, -1, 0]}]}}"}));
  pair.step_records(2);
  const std::string kinds = kinds_of_steps(&pair, 128);
  expect_same_states(&pair);
  EXPECT_GT(std::count(kinds.begin(), kinds.end(), 'L'), 120) << kinds;
}

/// Every environment takes the steps of all: while one of them touches itself, none is left.
TEST_P(DeviceApartSurfacesIn, EnvironmentsThatBeginAnewAreBuiltHere) {
  BothBackends pair(mat(GetParam(), 100, {"environments=3"}));
  pair.step_records(3);
  const Checkpoint early = pair.device.save(2);
  pair.both([&](Simulation* s) { s->set_state(1, folded(*s, 0.001)); });
  EXPECT_EQ(kinds_of_steps(&pair, 3), "HHH");
  pair.both([](Simulation* s) { s->reset(1, s->scene(0)); });
  pair.step_records(2);
  EXPECT_EQ(kinds_of_steps(&pair, 2), "LL");
  pair.both([&](Simulation* s) { s->load(2, early); });
  pair.step_records(2);
  pair.both([](Simulation* s) {
    s->set_frame_target(1, "floor", {{std::numeric_limits<double>::quiet_NaN(), 0, 0}, {}}, 0.1);
  });
  pair.step_records(3);
  EXPECT_TRUE(pair.device.failed(1));
  pair.both([](Simulation* s) { s->reset(1, s->scene(2)); });
  pair.step_records(3);
  expect_same_states(&pair);
}

/// Those that were launched behind a step that is refused do nothing.
TEST_P(DeviceApartSurfacesIn, HaltTheStepsAhead) {
  BothBackends pair(balls(GetParam()));
  const auto run = [&](int n) {
    std::vector<StepRecord> records[2];
    std::size_t k = 0;
    pair.both([&](Simulation* s) {
      s->run(n, [&](const StepView& view) { records[k].push_back(view.record); });
      ++k;
    });
    ASSERT_EQ(records[0].size(), records[1].size());
    for (std::size_t r = 0; r < records[0].size(); ++r)
      EXPECT_TRUE(test::same_bits(test::numbers_of(records[0][r]), test::numbers_of(records[1][r])))
          << r;
  };
  for (const int n : {3, 9, 30, 5, 4}) run(n);
  expect_same_states(&pair);
  const std::int64_t graphs = emulated_device().n_graph_launch, copies = emulated_device().n_copy;
  pair.device.run(8, {});
  EXPECT_EQ(emulated_device().n_graph_launch - graphs, 8);
  EXPECT_EQ(emulated_device().n_copy - copies, 16);
}

/// What moves far may have come through: the host looks whether it has.
TEST_P(DeviceApartSurfacesIn, AMatThatSpinsIsJudgedHere) {
  BothBackends pair(mat(GetParam(), 150));
  State spins = pair.cpu.state(0);
  for (std::size_t i = 0; i < spins.x.size(); ++i) {
    spins.x[i].z += 0.3;
    spins.v[i] = cross(Vec3d{0, 0, 40}, spins.x[i] - Vec3d{0.15, 0.05, 0});
  }
  pair.both([&](Simulation* s) { s->set_state(0, spins); });
  pair.step_records(1);
  const std::string kinds = kinds_of_steps(&pair, 6);
  EXPECT_THAT(kinds, testing::HasSubstr("H")) << kinds;
  expect_same_states(&pair);
}

TEST(DeviceApartSurfaces, FaultsAreToldAndEveryLauncherGivesTheCpusBits) {
  for (const LoopLauncher launcher :
       {LoopLauncher::graph, LoopLauncher::launches, LoopLauncher::checked}) {
    SCOPED_TRACE(name_of(launcher));
    test::ScenarioBatch batch = balls(Precision::double_);
    batch.options.of<CondOptions>().loop = launcher;
    BothBackends pair(batch);
    pair.step_records(24);
    expect_same_states(&pair);
    for (const char* kernel : {"gather_vertices", "flag_near_vertices", "tell_whether_apart",
                               "flag_passages", "hold_back_ends"}) {
      BothBackends faulty(batch);
      faulty.step_records(3);
      emulated_device().faulty_kernel = kernel;
      EXPECT_THROW(faulty.device.step(), RuntimeError) << kernel;
      emulated_device().faulty_kernel.clear();
    }
  }
}

}  // namespace
}  // namespace nodia
