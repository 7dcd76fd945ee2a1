/// Restarts every scenario file from checkpoints. The steps after a restart have the bits of the
/// run that was not interrupted, for every precision of the solver and with commands before and
/// after.
#include <gtest/gtest.h>

#include <random>

#include "host/io/checkpoint_file.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"

namespace nodia {
namespace {

std::string bytes_of(Simulation* simulation) {
  return checkpoint_bytes({{simulation->save(0)}, {}});
}

Checkpoint from_bytes(const std::string& bytes) {
  return checkpoint_from_bytes(bytes, "bytes").environments.at(0);
}

/// Commands every third step: a random target close to the present one for each drive and frame.
void command(Simulation* simulation, int step) {
  if (step % 3 != 0) return;
  std::mt19937_64 engine(static_cast<unsigned>(step));
  std::uniform_real_distribution<double> uniform(-1e-3, 1e-3);
  const Scene& scene = simulation->scene();
  const double reach_s = 3 * scene.time.step_s;
  const auto near = [&](Pose pose) {
    pose.position += Vec3d{uniform(engine), uniform(engine), uniform(engine)};
    return pose;
  };
  for (const RobotSceneDescription& robot : scene.robots) {
    std::vector<double> targets = simulation->joint_targets(0, robot.name);
    for (double& target : targets) target += uniform(engine);
    simulation->set_joint_targets(0, robot.name, targets, reach_s);
    for (int k = 0; k < static_cast<int>(robot.pose_drives.size()); ++k)
      simulation->set_pose_target(0, robot.name, k, near(simulation->pose_target(0, robot.name, k)),
                                  reach_s);
  }
  for (const ObstacleDescription& obstacle : scene.obstacles)
    simulation->set_frame_target(0, obstacle.name, near(simulation->frame_target(0, obstacle.name)),
                                 reach_s);
}

class ScenarioCheckpoints : public testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Files, ScenarioCheckpoints, testing::ValuesIn(test::scenario_files()),
                         [](const auto& test) { return test::scenario_name(test.param); });

TEST_P(ScenarioCheckpoints, ContinueWithTheBitsOfTheWholeRun) {
  const Scenario scenario = test::scenario_of_run(GetParam());
  for (const test::SavedState& saved : test::run_of(GetParam()).states) {
    Simulation restarted({scenario.scene}, scenario.solver);
    restarted.load(0, saved.checkpoint());
    for (int k = 0; k < test::kFollowedSteps; ++k) restarted.step();
    EXPECT_EQ(bytes_of(&restarted) == saved.after, true)
        << saved.name << ", saved after step " << saved.step;
  }
}

struct Solved {
  const char* name;
  std::vector<std::string> overrides;
  Precision precision = Precision::double_;
};

const Solved kSolved[] = {
    {"auto", {}},
    {"double", {"solver.solver=cond"}, Precision::double_},
    {"mixed", {"solver.solver=cond"}, Precision::mixed},
    {"float", {"solver.solver=cond"}, Precision::float_},
};

/// A commanded run from `start`, and a restart in a simulation of a scenario that is read again.
/// The restart is in the middle of a commanded motion; the next command follows one step later.
void expect_same_bits(const std::string& file, const Solved& solved,
                      const std::vector<test::SavedState>& starts) {
  constexpr int kSavedAfter = 2, kSteps = 4;
  std::vector<std::string> overrides = solved.overrides;
  overrides.insert(overrides.end(), {"solver.max_iterations=300", "solver.threads=1"});
  const Scenario scenario = load_scenario(test::source_file(file), overrides),
                 read_again = load_scenario(test::source_file(file), overrides);
  SolverOptions options = scenario.solver;
  options.execution.precision = solved.precision;
  for (const test::SavedState& start : starts) {
    SCOPED_TRACE(testing::Message() << solved.name << ", from " << start.name);
    Simulation whole({scenario.scene}, options), restarted({read_again.scene}, options);
    whole.load(0, start.for_another_solver());
    for (int k = 0; k < kSteps; ++k) {
      if (k == kSavedAfter) restarted.load(0, from_bytes(bytes_of(&whole)));
      command(&whole, k);
      whole.step();
      if (k < kSavedAfter) continue;
      command(&restarted, k);
      restarted.step();
      ASSERT_EQ(bytes_of(&whole) == bytes_of(&restarted), true) << "step " << k;
    }
  }
}

TEST_P(ScenarioCheckpoints, ContinueCommandedRunsWithTheSameBitsInEveryPrecision) {
  for (const Solved& solved : kSolved)
    if (!HasFatalFailure()) expect_same_bits(GetParam(), solved, test::run_of(GetParam()).states);
}

}  // namespace
}  // namespace nodia
