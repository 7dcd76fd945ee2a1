/// Tests steps with surfaces that may collide: the device makes their contacts and retains the end
/// of the step; the host computes the steps that the device cannot. The bits equal the CPU's.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "host/simulation/checkpoint.hpp"
#include "kernels/core/error.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/checked_host/folding_mat.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

using test::BothBackends;
using test::count_different;

/// Two balls on a floor; one rolls against the other and back.
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

/// A mat over a floor that may collide with itself.
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

/// State whose upper half lies `gap_m` above the lower half.
State folded(const Simulation& simulation, double gap_m) {
  State state = simulation.state(0);
  for (Vec3d& p : state.x) p = test::folded(p, 0.3, 0.5 * gap_m, 0.004);
  return state;
}

/// Returns whether the step stays on the device: no data of the nodes' size are copied.
template <class Step>
bool leaves(const Simulation& simulation, const Step& step) {
  CheckedHost& device = checked_host();
  device.bytes_up = device.bytes_down = 0;
  step();
  return device.bytes_up + device.bytes_down <= 8000 + 512 * simulation.n_env();
}

/// Number of soft-soft contacts of all environments in the last step.
int n_pair(const Simulation& simulation) {
  int n = 0;
  for (int e = 0; e < simulation.n_env(); ++e)
    for (const Contact<double>& c : simulation.last_step(e).contacts())
      n += c.side_j != kWorld ? 1 : 0;
  return n;
}

/// Code of every step: L if its end stays on the device, P also with soft-soft contacts; else H.
std::string kinds_of_steps(BothBackends* pair, int n) {
  std::string kinds;
  for (int k = 0; k < n && !testing::Test::HasFailure(); ++k) {
    const bool left = leaves(pair->device, [&] { pair->step_records(1); });
    kinds += !left ? 'H' : n_pair(pair->cpu) > 0 ? 'P' : 'L';
  }
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

class DeviceSoftSurfacesIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceSoftSurfacesIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

/// The host computes the first step with pairs and allocates arrays; the device computes later
/// steps unless tunnelling is possible.
TEST_P(DeviceSoftSurfacesIn, BallsAreLeftBeforeTheyMeetWhileTheyDoAndAfter) {
  BothBackends pair(balls(GetParam()));
  pair.step_records(2);
  const std::string kinds = kinds_of_steps(&pair, 50);
  EXPECT_THAT(kinds, testing::MatchesRegex("LL+HH?PPPP+H?P+LLLL+")) << kinds;
  const auto n_left = static_cast<int>(kinds.size() - std::count(kinds.begin(), kinds.end(), 'H'));
  EXPECT_GE(pair.n_on_device, n_left);
  EXPECT_LT(pair.n_on_device, 52);  // the host computes the step that allocates
  expect_same_states(&pair);
}

/// Everything that is read in a step is downloaded, also soft-soft contacts.
TEST_P(DeviceSoftSurfacesIn, StatesAndContactsOfBallsThatMeetAreTheCpus) {
  BothBackends pair(balls(GetParam()));
  int most = 0;
  for (int k = 0; k < 40 && !testing::Test::HasFailure(); ++k) {
    pair.step(1);
    const StepView cpu = pair.cpu.last_step(), device = pair.device.last_step();
    ASSERT_EQ(cpu.contacts().size(), device.contacts().size());
    EXPECT_EQ(count_different(cpu.lambda(), device.lambda()), 0);
    EXPECT_EQ(cpu.contact_state(), device.contact_state());
    for (std::size_t m = 0; m < cpu.contacts().size(); ++m) {
      const Contact<double>&a = cpu.contacts()[m], &b = device.contacts()[m];
      EXPECT_TRUE(a.key == b.key && a.side_i == b.side_i && a.side_j == b.side_j) << m;
      EXPECT_TRUE(test::same_bits(std::vector{a.phi}, std::vector{b.phi})) << m;
    }
    most = std::max(most, n_pair(pair.cpu));
  }
  EXPECT_GT(most, 3);
  expect_same_states(&pair);
}

TEST_P(DeviceSoftSurfacesIn, GoOnFromACheckpointWhileTheyMeet) {
  BothBackends pair(balls(GetParam()));
  pair.step_records(10);
  EXPECT_EQ(kinds_of_steps(&pair, 1), "P");
  const Checkpoint here = pair.device.save(0);
  expect_same_states(&pair);
  pair.step_records(5);
  pair.both([&](Simulation* s) { s->load(0, here); });
  pair.step_records(1);
  const std::string kinds = kinds_of_steps(&pair, 12);
  EXPECT_THAT(kinds, testing::HasSubstr("PP")) << kinds;
  expect_same_states(&pair);
}

/// Options that change contact nodes, W, and the contact law.
TEST(DeviceSoftSurfaces, KeepToTheOptions) {
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"solver.bias_cancellation=false"},
        {"solver.virtual_gain_N_s_m=300"},
        {"solver.w_recycle_steps=4", "contact.margin_m=0.002"},
        {"solver.projection=proximal"},
        {"solver.invertible_omega_m_Ns=1e-4"},
        {"solver.stop=paper"},
        {"solver.w=bb1"},
        {"solver.acceleration=nesterov"}}) {
    SCOPED_TRACE(options.front());
    BothBackends pair(balls(Precision::double_, options));
    pair.step_records(8);
    EXPECT_THAT(kinds_of_steps(&pair, 10), testing::HasSubstr("PPP"));
    expect_same_states(&pair);
  }
}

/// The pairs exceed the first capacity.
TEST_P(DeviceSoftSurfacesIn, ALargeMatLiesOnItself) {
  BothBackends pair(mat(GetParam(), 2200, {"time.step_s=0.001"}));
  pair.step_records(2);
  const State above = folded(pair.cpu, 0.001);
  pair.both([&](Simulation* s) { s->set_state(0, above); });
  std::string kinds;
  int most_pairs = 0;
  for (int k = 0; k < 40; ++k) {
    kinds += kinds_of_steps(&pair, 1);
    most_pairs = std::max(most_pairs, n_pair(pair.cpu));
  }
  EXPECT_GT(most_pairs, 256) << kinds;
  EXPECT_GT(std::count(kinds.begin(), kinds.end(), 'P'), 30) << kinds;
  expect_same_states(&pair);
}

TEST_P(DeviceSoftSurfacesIn, AMatIsLeftWhenItFallsOnItself) {
  BothBackends pair(mat(GetParam(), 150));
  pair.step_records(2);
  EXPECT_EQ(kinds_of_steps(&pair, 3), "LLL");
  const State above = folded(pair.cpu, 0.012);
  pair.both([&](Simulation* s) { s->set_state(0, above); });
  pair.step_records(2);  // the first restarts, the second runs on the device
  const std::string kinds = kinds_of_steps(&pair, 24);
  EXPECT_THAT(kinds, testing::HasSubstr("PPP")) << kinds;
  EXPECT_LT(std::count(kinds.begin(), kinds.end(), 'H'), 8) << kinds;
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

/// The mat is folded by its edge, which is moved over it and laid on it.
TEST(DeviceSoftSurfaces, AMatThatIsFoldedIsLeft) {
  BothBackends pair(test::folding_mat(Precision::double_, 150));
  pair.step_records(2);
  const std::string kinds = kinds_of_steps(&pair, 198);
  expect_same_states(&pair);
  EXPECT_GT(std::count(kinds.begin(), kinds.end(), 'L'), 120) << kinds;
  EXPECT_GT(std::count(kinds.begin(), kinds.end(), 'P'), 40) << kinds;
  EXPECT_LT(std::count(kinds.begin(), kinds.end(), 'H'), 10) << kinds;
}

/// One environment touches itself, the others do not.
TEST_P(DeviceSoftSurfacesIn, EnvironmentsThatBeginAnewAreBuiltHere) {
  BothBackends pair(mat(GetParam(), 400, {"environments=3", "time.step_s=0.001"}));
  pair.step_records(3);
  const Checkpoint early = pair.device.save(2);
  pair.both([&](Simulation* s) { s->set_state(1, folded(*s, 0.001)); });
  EXPECT_THAT(kinds_of_steps(&pair, 8), testing::MatchesRegex("H+P+"));
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

/// Steps that were launched behind a rejected step do nothing.
TEST_P(DeviceSoftSurfacesIn, HaltTheStepsAhead) {
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
  const std::int64_t graphs = checked_host().n_graph_launch, copies = checked_host().n_copy;
  pair.device.run(8, {});
  EXPECT_EQ(checked_host().n_graph_launch - graphs, 8);
  EXPECT_EQ(checked_host().n_copy - copies, 16);
}

/// After hitting a wall, the balls touch again in a step that was launched ahead while W is
/// recycled. The device rebuilds W in that step.
TEST_P(DeviceSoftSurfacesIn, MakeWAnewInAStepAhead) {
  BothBackends pair(
      balls(GetParam(), {"solver.w_recycle_steps=50",
                         "obstacles.wall={shape: half_space, friction: 0, "
                         "restitution: 1, position_m: [-0.05, 0, 0], orientation_wxyz: [0.7071068, "
                         "0, 0.7071068, 0]}"}));
  std::string meets;
  pair.cpu.run(90, [&](const StepView&) { meets += n_pair(pair.cpu) > 0 ? 'P' : '-'; });
  EXPECT_THAT(meets, testing::ContainsRegex("PP*-----*P")) << meets;
  pair.device.run(90, {});
  expect_same_states(&pair);
}

/// Fast nodes may have tunnelled; the host checks whether they have.
TEST_P(DeviceSoftSurfacesIn, AMatThatSpinsIsEvaluatedHere) {
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

TEST(DeviceSoftSurfaces, FaultsAreToldAndEveryLauncherGivesTheCpusBits) {
  for (const LoopLauncher launcher :
       {LoopLauncher::graph, LoopLauncher::launches, LoopLauncher::checked}) {
    SCOPED_TRACE(name_of(launcher));
    test::ScenarioBatch batch = balls(Precision::double_);
    batch.options.execution.loop = launcher;
    BothBackends pair(batch);
    pair.step_records(24);
    expect_same_states(&pair);
    for (const char* kernel : {"gather_vertices", "flag_near_vertices", "tell_whether_pairs_fit",
                               "flag_tunnelling", "reject_ends"}) {
      BothBackends faulty(batch);
      faulty.step_records(3);
      checked_host().faulty_kernel = kernel;
      EXPECT_THROW(faulty.device.step(), RuntimeError) << kernel;
      checked_host().faulty_kernel.clear();
    }
  }
}

}  // namespace
}  // namespace nodia
