/// External forces of scenario files: read, written, drawn, and what checks and settling make of
/// them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "scenarios/checks/check.hpp"
#include "scenarios/checks/momentum_balance.hpp"
#include "scenarios/task/settle.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::message;
using test::ScenarioFile;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A ball and a soft block on a floor, both pushed.
std::string pushed(const std::string& more = "") {
  return R"(name: pushed
time: {step_s: 0.01, duration_s: 0.3}
bodies:
  block: {mesh: {box: {size_m: [0.1, 0.1, 0.05], cells: [2, 2, 1]}}, youngs_modulus_Pa: 1e5, position_m: [0, 0, 1e-4]}
rigid_bodies:
  ball: {shape: sphere, radius_m: 0.05, mass_kg: 0.5, position_m: [1, 0, 0.05]}
obstacles:
  floor: {shape: half_space}
pushes:
  shove: {body: block, force_N: [4, 0, -1], from_s: 0.053, duration_s: 0.064}
  lift: {body: ball, force_N: [0, 0, 9], from_s: 0.1, duration_s: 0.1}
)" + more;
}

TEST(ScenarioExternalForces, AreReadAndWrittenAsTheyAre) {
  const Scenario scenario = load_scenario(ScenarioFile(pushed()).path());
  const ScenarioFile resolved(scenario.resolved_yaml);
  for (const Scene& scene : {scenario.scene, load_scenario(resolved.path()).scene}) {
    ASSERT_EQ(scene.pushes.size(), 2u);
    const ExternalForceDescription& shove = scene.pushes[0];
    EXPECT_EQ(shove.name, "shove");
    EXPECT_EQ(shove.body, "block");
    EXPECT_EQ(shove.link, "");
    EXPECT_EQ(shove.force_N.z, -1);
    EXPECT_EQ(shove.from_s, 0.053);
    EXPECT_EQ(shove.duration_s, 0.064);
  }
}

TEST(ScenarioExternalForces, AreRefusedWithTheLine) {
  const auto broken = [](const std::string& external_force) {
    return message(pushed("  bad: " + external_force + "\n"));
  };
  EXPECT_THAT(broken("{body: blok, force_N: [1, 0, 0], from_s: 0, duration_s: 1}"),
              "s.yaml:12: pushes.bad.body = blok (must be the name of a body; did you mean "
              "block?)");
  EXPECT_THAT(broken("{body: ball, force_N: [1, 0, 0], from_s: 1, duration_s: 0}"),
              HasSubstr("s.yaml:12: pushes.bad.duration_s = 0 (must be > 0"));
  EXPECT_THAT(broken("{body: ball, force_N: [1, 0, .inf], from_s: 0, duration_s: 1}"),
              HasSubstr("s.yaml:12: pushes.bad.force_N"));
  EXPECT_THAT(broken("{body: ball, force_N: [1, 0, 0], from_s: -1, duration_s: 1}"),
              HasSubstr("pushes.bad.from_s = -1 (must be >= 0"));
  EXPECT_THAT(broken("{body: ball, force_N: [1, 0, 0], from_s: 0}"), HasSubstr("duration_s"));
  EXPECT_THAT(broken("{body: ball, from_s: 0, duration_s: 1}"), HasSubstr("force_N"));
  EXPECT_THAT(broken("{force_N: [1, 0, 0], from_s: 0, duration_s: 1}"), HasSubstr("body"));
  EXPECT_THAT(broken("{body: ball, force: [1, 0, 0], from_s: 0, duration_s: 1}"),
              HasSubstr("did you mean force_N?"));
}

TEST(ScenarioExternalForces, AreDrawnLikeAnyOtherKey) {
  const ScenarioFile file(pushed(R"(randomize:
  pushes.shove.force_N.0: [-10, 10]
  pushes.shove.body: {choice: [block, ball]}
  pushes.shove.from_s: [0, 0.05]
  pushes.shove.duration_s: [0.06, 0.1]
  pushes.lift.force_N: {choice: [[0, 0, 1], [1, 2, 3]]}
)"));
  std::set<double> forces, begins, durations, lifts;
  std::set<std::string> bodies;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Scenario scenario = load_scenario(file.path(), {}, seed);
    EXPECT_EQ(scenario.drawn.size(), 5u);
    const ExternalForceDescription &shove = scenario.scene.pushes.at(0),
                                   &lift = scenario.scene.pushes.at(1);
    EXPECT_LE(std::abs(shove.force_N.x), 10);
    EXPECT_EQ(shove.force_N.z, -1) << "as the file has it";
    forces.insert(shove.force_N.x);
    bodies.insert(shove.body);
    begins.insert(shove.from_s);
    durations.insert(shove.duration_s);
    lifts.insert(lift.force_N.y);
    EXPECT_EQ(load_scenario(ScenarioFile(scenario.resolved_yaml).path()).scene.pushes[0].force_N.x,
              shove.force_N.x);
  }
  EXPECT_EQ(forces.size(), 20u);
  EXPECT_EQ(begins.size(), 20u);
  EXPECT_EQ(durations.size(), 20u);
  EXPECT_THAT(bodies, ElementsAre("ball", "block"));
  EXPECT_THAT(lifts, ElementsAre(0, 2));
}

TEST(ScenarioExternalForces, OfABatchAreThoseOfTheirSeeds) {
  const ScenarioFile file(pushed("randomize: {pushes.shove.force_N.1: [1, 2]}\n"));
  const Batch batch = load_batch(file.path(), {"environments=3"}, 7);
  for (std::uint64_t e = 0; e < 3; ++e)
    EXPECT_EQ(batch.environments[e].scene.pushes[0].force_N.y,
              load_scenario(file.path(), {}, 7 + e).scene.pushes[0].force_N.y);
}

TEST(ScenarioExternalForces, OfUnknownNamesAreNotDrawn) {
  EXPECT_THAT(message(pushed("randomize: {pushes.shov.force_N.0: [1, 2]}\n")), HasSubstr("shov"));
  EXPECT_THAT(message(pushed("randomize: {pushes.shove.from_s: [-1, 2]}\n")), HasSubstr(">= 0"));
}

TEST(ScenarioExternalForces, LastAsLongWhereverTheyAreDrawnToBegin) {
  const ScenarioFile file(pushed("randomize: {pushes.shove.from_s: [0.15, 0.2]}\n"));
  const ExternalForceDescription shove = load_scenario(file.path(), {}, 3).scene.pushes[0];
  EXPECT_GE(shove.from_s, 0.15);
  EXPECT_EQ(shove.duration_s, 0.064);
}

/// The whole run, with its checks.
std::vector<CheckResult> results(const Scene& scene, const Scene& watched,
                                 const std::vector<CheckDescription>& checks) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-9;
  options.max_iterations = 20000;
  Simulation simulation({scene}, options);
  ScenarioChecks evaluators(watched, checks);
  for (int k = 0; k < 30; ++k)
    simulation.step([&](const StepView& view) { evaluators.observe(view); });
  return evaluators.results();
}

TEST(ScenarioExternalForces, AreNoErrorOfTheChecksNorHideOne) {
  const Scene scene = load_scenario(ScenarioFile(pushed()).path()).scene;
  const std::vector<CheckDescription> balance{{"balance", ForceBalance{0, 0.3, 1e-6, {}}},
                                              {"energy", EnergyNonIncreasing{0, 0.3, 1e-3}}};
  for (const CheckResult& result : results(scene, scene, balance))
    EXPECT_TRUE(result.passed) << result.name << " " << result.value << " " << result.bound;
  // A force that acts without being counted is missed by as much as it is.
  Scene blind = scene;
  blind.pushes.clear();
  const std::vector<CheckResult> missed =
      results(scene, blind, {{"balance", ForceBalance{0.06, 0.1, {}, 1e-6}}});
  EXPECT_NEAR(missed[0].value, std::sqrt(17), 1e-5);
}

TEST(ScenarioExternalForces, OfLinksAreNoneOfTheBodiesMomentum) {
  Scene scene =
      test::load_task("{text: t, control_hz: 25, observe: time, action: {joints: base_x}}").scene;
  MomentumBalance without(scene);
  ExternalForceDescription external_force;
  external_force.name = "push";
  external_force.body = "arm";
  external_force.link = "palm";
  external_force.force_N = {1, 2, 3};
  scene.pushes = {external_force};
  MomentumBalance with(scene);
  Simulation simulation({scene}, {});
  simulation.step([&](const StepView& view) {
    EXPECT_EQ(norm(with.missing_N(view) - without.missing_N(view)), 0);
  });
}

TEST(ScenarioExternalForces, LetBodiesComeToRestFirst) {
  const Scenario scenario = load_scenario(ScenarioFile(pushed()).path());
  Scene at_once = scenario.scene, never = scenario.scene;
  never.pushes.clear();
  at_once.pushes[0].from_s = 0;
  const std::vector<Settled> settled =
      settle({at_once, never}, scenario.solver, {1e-3, 1}, 4, [](int, const StepView&) {});
  EXPECT_TRUE(settled[0].at_rest);
  EXPECT_TRUE(test::same_bits(settled[0].state.x, settled[1].state.x));
  EXPECT_TRUE(test::same_bits(settled[0].state.v, settled[1].state.v));
}

TEST(ScenarioExternalForces, ThatBeginAfterTheEndAreNamed) {
  const auto warnings = [](const std::vector<std::string>& overrides) {
    std::vector<std::string> texts;
    for (const ScenarioWarning& w : load_batch(ScenarioFile(pushed()).path(), overrides).warnings)
      texts.push_back(w.text);
    return texts;
  };
  EXPECT_THAT(warnings({}), IsEmpty());
  EXPECT_THAT(warnings({"time.duration_s=0.1"}),
              ElementsAre("pushes.lift never acts: it begins at 0.1 s, and the simulation ends at "
                          "0.1 s (set pushes.lift.from_s or time.duration_s)"));
}

}  // namespace
}  // namespace nodia
