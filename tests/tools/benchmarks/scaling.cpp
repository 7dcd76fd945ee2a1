#include "tools/benchmarks/scaling.hpp"

#include <gtest/gtest.h>

#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_problem.hpp"
#include "tools/benchmarks/solution_error.hpp"

namespace nodia::studies {
namespace {

ContactProblem some_problem() {
  RandomProblemOptions options;
  options.n_node = 40;
  return random_problem(options);
}

Solution solution_of(const ContactProblem& problem, const char* solver, double tolerance) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = tolerance;
  Solution solution;
  make_solver(options)->solve(problem, {}, &solution);
  return solution;
}

TEST(ScalingError, OfForcesIsTrueErrorByTheFactorOfAnotherMatrix) {
  const ContactProblem factorised = some_problem();
  ContactProblem problem = factorised;
  for (double& a : problem.A.value) a *= 1.3;
  const Solution exact = solution_of(problem, "newton", 1e-9);
  const SolutionError error(factorised);
  const TrueError true_error(problem, exact.v);
  for (const double tolerance : {1e-1, 1e-3}) {
    const Solution solution = solution_of(problem, "cond", tolerance);
    const double expected = true_error(solution.lambda);
    ASSERT_GT(expected, 1e-7);
    EXPECT_NEAR(error.of_forces(problem, exact.v, solution.lambda), expected, 1e-5 * expected);
  }
  EXPECT_LT(error.of_forces(problem, exact.v, exact.lambda), 1e-7);
}

TEST(ScalingError, OfVelocityIsRelativeInTheEnergyNorm) {
  const ContactProblem problem = some_problem();
  const std::vector<Vec3d> v = solution_of(problem, "newton", 1e-6).v;
  std::vector<Vec3d> off = v;
  for (Vec3d& x : off) x = 1.01 * x;
  EXPECT_NEAR(SolutionError::of_velocity(problem, v, off), 0.01, 1e-12);
  EXPECT_EQ(SolutionError::of_velocity(problem, v, v), 0);
}

TEST(ScalingOptions, OneMessageARule) {
  const auto refused = [](auto change) {
    ScalingOptions options;
    change(options);
    EXPECT_THROW(options.validate(), InputError);
  };
  EXPECT_NO_THROW(ScalingOptions().validate());
  refused([](ScalingOptions& o) { o.true_error = -1; });
  refused([](ScalingOptions& o) { o.steps = 0; });
  refused([](ScalingOptions& o) { o.skipped_steps = -1; });
  refused([](ScalingOptions& o) { o.limit_s = 0; });
  refused([](ScalingOptions& o) { o.from_s = -1; });
  refused([](ScalingOptions& o) { o.by_own_rule = false, o.reference = false; });
}

TEST(Scaling, OwnToleranceIsThatOfWhatARuleMeasures) {
  EXPECT_EQ(own_tolerance("auto"), 1e-3);
  EXPECT_EQ(own_tolerance("newton"), 1e-3);
  EXPECT_EQ(own_tolerance("cond"), 1e-4);
  EXPECT_EQ(own_tolerance("pgs"), 1e-4);
}

/// @param in_cache  null in rows that are not COND's
Row row_of(const char* solver, int n_node, double ms, const Row& in_cache) {
  Row row = empty_row(scaling_fields());
  row.at("solver") = solver;
  row.at("rule") = "own";
  row.at("n_node") = n_node;
  row.at("reached") = true;
  row.at("total_ms") = ms;
  row.at("in_cache") = in_cache;
  return row;
}

TEST(Scaling, FitsUseRowsThatWereMeasuredAndReachedTheirTarget) {
  std::vector<Row> rows{row_of("cond", 10, 10, 1),    row_of("cond", 100, 100, 1),
                        row_of("cond", 1000, 1e5, 0), row_of("auto", 10, 10, nullptr),
                        row_of("cond", 10000, 7, 0),  row_of("cond", 10000, 7, nullptr)};
  rows[4].at("reached") = false;
  rows[5].at("left_out") = "too slow";
  const std::vector<ScalingFit> fits = fits_of(rows);
  ASSERT_EQ(fits.size(), 4U);
  EXPECT_EQ(fits[0].solver + fits[1].solver, "condauto");
  EXPECT_EQ(fits[0].fit.n_row, 3);
  EXPECT_EQ(fits[1].fit.n_row, 1);
  EXPECT_NEAR(fits[2].fit.exponent, 1, 1e-12);
  EXPECT_EQ(fits[3].fit.n_row, 1);
}

}  // namespace
}  // namespace nodia::studies
