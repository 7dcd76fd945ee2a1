/// Every scenario file goes on from a checkpoint with the bits of never having stopped, whatever
/// its solver computes with; what is commanded in between included.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>

#include "host/io/checkpoint_file.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/cond/options.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

/// A log of commands, replayed by step: a target near where each drive and frame is.
void command(Simulation* simulation, int env, int step) {
  if (step % 3 != 0) return;
  std::mt19937_64 engine(static_cast<unsigned>(step));
  std::uniform_real_distribution<double> uniform(-1e-3, 1e-3);
  const Scene& scene = simulation->scene(env);
  const double reach_s = 3 * scene.time.step_s;
  const auto near = [&](Pose pose) {
    pose.position += Vec3d{uniform(engine), uniform(engine), uniform(engine)};
    return pose;
  };
  for (const RobotSceneDescription& robot : scene.robots) {
    std::vector<double> targets = simulation->joint_targets(env, robot.name);
    for (double& target : targets) target += uniform(engine);
    simulation->set_joint_targets(env, robot.name, targets, reach_s);
    for (int k = 0; k < static_cast<int>(robot.pose_drives.size()); ++k)
      simulation->set_pose_target(env, robot.name, k,
                                  near(simulation->pose_target(env, robot.name, k)), reach_s);
  }
  for (const ObstacleDescription& obstacle : scene.obstacles)
    simulation->set_frame_target(env, obstacle.name,
                                 near(simulation->frame_target(env, obstacle.name)), reach_s);
}

struct Computed {
  const char* name;
  std::vector<std::string> overrides;
  Precision precision = Precision::double_;
};

const Computed kComputed[] = {
    {"auto", {}},
    {"double", {"solver.solver=cond"}, Precision::double_},
    {"mixed", {"solver.solver=cond"}, Precision::mixed},
    {"float", {"solver.solver=cond"}, Precision::float_},
};

/// Saves after every one of these steps, ascending, and goes on for `after` steps in a fresh
/// simulation of a scenario that was read anew.
void expect_same_bits(const std::string& file, const Computed& computed,
                      const std::vector<int>& saved_after, int after) {
  std::vector<std::string> overrides = computed.overrides;
  overrides.emplace_back("solver.max_iterations=300");
  const Scenario scenario = load_scenario(test::source_file(file), overrides);
  SolverOptions options = scenario.solver;
  options.of<CondOptions>().precision = computed.precision;
  options.threads = 1;
  Simulation whole({scenario.scene}, options);
  std::vector<State> states{whole.state()};  // after every step
  std::map<int, std::string> saved;
  for (int step = 0; step < saved_after.back() + after; ++step) {
    command(&whole, 0, step);
    if (std::count(saved_after.begin(), saved_after.end(), step) > 0)
      saved[step] = checkpoint_bytes({{whole.save(0)}, {}});
    whole.step();
    states.push_back(whole.state());
  }
  for (const auto& [before, bytes] : saved) {
    Simulation other({load_scenario(test::source_file(file), overrides).scene}, options);
    other.load(0, checkpoint_from_bytes(bytes, "bytes").environments.at(0));
    for (int step = before; step < before + after; ++step) {
      if (step > before) command(&other, 0, step);  // before it was saved with
      other.step();
      ASSERT_TRUE(test::same_bits(states[static_cast<std::size_t>(step) + 1], other.state()))
          << file << ", " << computed.name << ", saved after " << before << ", step " << step;
    }
  }
}

class CheckpointScenarios : public testing::TestWithParam<std::string> {};

TEST_P(CheckpointScenarios, GoOnWithTheSameBits) {
  for (const Computed& computed : kComputed) expect_same_bits(GetParam(), computed, {5}, 3);
}

TEST_P(CheckpointScenarios, SlowGoOnFromTwentyRandomSteps) {
  std::vector<int> steps(40);
  std::iota(steps.begin(), steps.end(), 1);
  std::shuffle(steps.begin(), steps.end(), std::mt19937_64(7));
  steps.resize(20);
  std::sort(steps.begin(), steps.end());
  for (const Computed& computed : kComputed)
    if (!HasFatalFailure()) expect_same_bits(GetParam(), computed, steps, 2);
}

INSTANTIATE_TEST_SUITE_P(Files, CheckpointScenarios, testing::ValuesIn(test::scenario_files()),
                         [](const auto& test) { return test::scenario_name(test.param); });

}  // namespace
}  // namespace nodia
