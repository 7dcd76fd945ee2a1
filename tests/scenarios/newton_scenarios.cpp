// The scenario files with the Newton solver.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "host/errors/errors.hpp"
#include "host/simulation/simulation.hpp"
#include "host/solvers/catalogue.hpp"
#include "scenarios/build/scenario.hpp"
#include "scenarios/checks/check.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"

namespace nodia {
namespace {

Scenario load(const std::string& file, const std::string& tolerance) {
  return load_scenario(test::source_file(file), {"solver.solver=newton", "solver.threads=1",
                                                 "solver.tolerance=" + tolerance});
}

class NewtonScenario : public ::testing::TestWithParam<std::string> {};

INSTANTIATE_TEST_SUITE_P(Yaml, NewtonScenario, ::testing::ValuesIn(test::scenario_files()),
                         [](const auto& file) { return test::scenario_name(file.param); });

TEST_P(NewtonScenario, FirstStepsConverge) {
  const Scenario scenario = load(GetParam(), "1e-6");
  Simulation simulation({scenario.scene}, scenario.solver);
  for (int k = 0; k < 3; ++k) {
    const SolveReport report = simulation.step().front().solve;
    EXPECT_EQ(report.status, SolveStatus::converged)
        << "step " << k << " ended " << name_of(report.status) << ": " << report.reason;
    EXPECT_LE(report.iterations, 40);
  }
}

/// |v|_A
double energy_norm(const ContactProblem& p, const std::vector<Vec3d>& v) {
  const std::vector<Vec3d> Av = p.A.multiply(v);
  double sum = 0;
  for (std::size_t i = 0; i < v.size(); ++i) sum += dot(v[i], Av[i]);
  return std::sqrt(sum);
}

/// Five steps from every saved state: the reported error against the difference from a solution
/// with a much smaller tolerance.
TEST_P(NewtonScenario, KnowsItsErrorFromSavedStates) {
  const Scenario scenario = load(GetParam(), "1e-3");
  SolverOptions tight = scenario.solver;
  tight.tolerance = 1e-9;
  const std::unique_ptr<ContactSolver> solver = make_solver(scenario.solver),
                                       exact_solver = make_solver(tight);
  int n = 0, n_too_small = 0, n_too_large = 0;
  for (const test::SavedState& start : test::run_of(GetParam()).states) {
    Simulation simulation({scenario.scene}, scenario.solver);
    simulation.load(0, start.for_another_solver());
    for (int k = 0; k < 5; ++k, simulation.step()) {
      SCOPED_TRACE(testing::Message() << "step " << k << " from " << start.name);
      WarmStart warm;
      const ContactProblem p = simulation.build_problem(&warm);
      Solution solution, exact;
      solver->solve(p, warm, &solution);
      const SolveReport& report = solution.env[0];
      ASSERT_EQ(report.status, SolveStatus::converged);
      exact_solver->solve(p, {solution.v, solution.lambda}, &exact);
      if (exact.env[0].status != SolveStatus::converged || report.absolute_floor) continue;
      std::vector<Vec3d> difference = solution.v;
      for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= exact.v[i];
      const double error = std::max(TrueError(p, exact.v)(solution.lambda),
                                    energy_norm(p, difference) / energy_norm(p, exact.v));
      EXPECT_LE(error, 3e-3);
      if (error < 1e-7) continue;  // not above the error of the exact solution
      ++n;
      EXPECT_GT(report.error_estimate, 0.1 * error);
      n_too_small += report.error_estimate < error / 3;
      n_too_large += report.error_estimate > 3 * error;
    }
  }
  EXPECT_LE(n_too_small, 1 + n / 20);
  // If fingers grip, sweeps and multipliers overestimate the error (docs/solver.md).
  EXPECT_LE(n_too_large, 1 + n / 3);
}

/// The whole run of a file that names `cond`, or to which `auto` gives it: all steps are solved,
/// and the checks met, with narrower ones in `overrides`.
void expect_checks_are_met(const std::string& file, std::vector<std::string> overrides) {
  overrides.insert(overrides.end(), {"solver.solver=newton", "solver.threads=1"});
  const Scenario scenario = load_scenario(test::source_file(file), overrides);
  const TimeOptions& time = scenario.scene.time;
  ScenarioChecks checks(scenario.scene, scenario.checks);
  Simulation simulation({scenario.scene}, scenario.solver);
  const int n_step = static_cast<int>(std::ceil(time.duration_s / time.step_s * (1 - 1e-9)));
  for (int k = 0; k < n_step; ++k)
    simulation.step([&](const StepView& view) {
      checks.observe(view);
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << "step " << k;
    });
  EXPECT_TRUE(checks.not_reached().empty()) << checks.not_reached().front() << " is not reached";
  EXPECT_FALSE(checks.results().empty());
  for (const CheckResult& result : checks.results())
    EXPECT_TRUE(result.passed) << result.name << " = " << result.value << " " << result.unit
                               << ", bound " << result.bound;
}

TEST(NewtonChecks, ABoxSlidesAsCoulombSays) {
  expect_checks_are_met("scenarios/box_sliding/box_sliding.yaml", {"solver.tolerance=1e-8"});
}

TEST(NewtonChecks, ABlockBetweenPlatesNeitherCreepsNorSinks) {
  expect_checks_are_met(
      "scenarios/grip_creep/plates.yaml",
      {"solver.tolerance=1e-4", "solver.newton.linear_solver=direct",
       "checks.no_penetration.bound_m=1e-8", "checks.balance.relative_tolerance=1e-9",
       "checks.no_creep.bound_m_s=1e-12"});
}

TEST(NewtonChecks, ABlockInAGripperDoesNotCreep) {
  expect_checks_are_met(
      "scenarios/grip_creep/grip_creep.yaml",
      {"solver.tolerance=1e-4", "solver.newton.linear_solver=direct",
       "checks.no_penetration.bound_m=1e-6", "checks.weight_by_friction.relative_tolerance=1e-9",
       "checks.balance.relative_tolerance=1e-9", "checks.no_creep.bound_m_s=1e-12"});
}

}  // namespace
}  // namespace nodia
