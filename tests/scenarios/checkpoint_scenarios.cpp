/// Every scenario file goes on from a checkpoint with the bits of never having stopped, whatever
/// its solver computes with; what is commanded in between included.
#include <gtest/gtest.h>

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

/// Saves after `before` steps and compares `after` more.
void expect_same_bits(const std::string& file, const Computed& computed, int before, int after) {
  std::vector<std::string> overrides = computed.overrides;
  overrides.emplace_back("solver.max_iterations=300");
  const Scenario scenario = load_scenario(test::source_file(file), overrides);
  SolverOptions options = scenario.solver;
  options.of<CondOptions>().precision = computed.precision;
  options.threads = 1;
  Simulation whole({scenario.scene}, options);
  int step = 0;
  for (; step < before; ++step) {
    command(&whole, 0, step);
    whole.step();
  }
  const std::string bytes = checkpoint_bytes({{whole.save(0)}, {}});
  Simulation other({load_scenario(test::source_file(file), overrides).scene}, options);
  other.load(0, checkpoint_from_bytes(bytes, "bytes").environments.at(0));
  for (; step < before + after; ++step) {
    for (Simulation* simulation : {&whole, &other}) {
      command(simulation, 0, step);
      simulation->step();
    }
    ASSERT_TRUE(test::same_bits(whole.state(), other.state()))
        << file << ", " << computed.name << ", saved after " << before << ", step " << step;
  }
}

class CheckpointScenarios : public testing::TestWithParam<std::string> {};

TEST_P(CheckpointScenarios, GoOnWithTheSameBits) {
  for (const Computed& computed : kComputed) expect_same_bits(GetParam(), computed, 5, 3);
}

TEST_P(CheckpointScenarios, SlowGoOnFromTwentyRandomSteps) {
  std::mt19937_64 engine(7);
  for (const Computed& computed : kComputed)
    for (int k = 0; k < 20 && !HasFatalFailure(); ++k)
      expect_same_bits(GetParam(), computed, std::uniform_int_distribution<int>(1, 20)(engine), 2);
}

INSTANTIATE_TEST_SUITE_P(Files, CheckpointScenarios, testing::ValuesIn(test::scenario_files()),
                         [](const auto& test) { return test::scenario_name(test.param); });

}  // namespace
}  // namespace nodia
