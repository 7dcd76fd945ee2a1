// `auto`: which solver takes which environment, and what happens where one fails.
#include "host/solvers/automatic/automatic.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/joined_problems.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

SolverOptions at_1e6(const std::string& solver) {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-6;
  options.max_iterations = 3000;
  return options;
}

Solution solution_of(const std::string& solver, const ContactProblem& p) {
  return test::solve_once(p, at_1e6(solver));
}

/// One link of a cable on the ground; nothing soft.
ContactProblem cable(unsigned seed) {
  return random_problem(
      {.seed = seed, .n_node = 0, .n_world_contact = 0, .n_pair_contact = 0, .n_link = 1});
}

void expect_same_solution(const Solution& whole, const ContactProblem& batch, int env,
                          const Solution& alone) {
  const auto v = whole.v.begin() + batch.env_node_begin[env];
  const auto lambda = whole.lambda.begin() + batch.env_contact_begin[env];
  const auto n_row = static_cast<std::ptrdiff_t>(alone.v.size());
  const auto n_contact = static_cast<std::ptrdiff_t>(alone.lambda.size());
  EXPECT_EQ(test::count_different(std::vector<Vec3d>(v, v + n_row), alone.v), 0);
  EXPECT_EQ(test::count_different(std::vector<Vec3d>(lambda, lambda + n_contact), alone.lambda), 0);
  EXPECT_EQ(whole.env[env].iterations, alone.env[0].iterations);
}

TEST(AutomaticSolver, TakesNewtonButForSoftBodiesWithoutPlaces) {
  ContactProblem both = random_problem({.seed = 2, .n_link = 3}), soft = random_problem({});
  const ContactProblem hard = cable(2);
  EXPECT_STREQ(suitable_solver(both, 0), "cond");
  both.position = both.b;
  EXPECT_STREQ(suitable_solver(both, 0), "newton");
  EXPECT_STREQ(suitable_solver(soft, 0), "cond");
  EXPECT_STREQ(suitable_solver(hard, 0), "newton");
  soft.position = soft.b;
  EXPECT_STREQ(suitable_solver(soft, 0), "newton");
  expect_same_solution(solution_of("auto", soft), soft, 0, solution_of("newton", soft));
  soft.position.clear();
  expect_same_solution(solution_of("auto", soft), soft, 0, solution_of("cond", soft));
  expect_same_solution(solution_of("auto", hard), hard, 0, solution_of("newton", hard));
}

TEST(AutomaticSolver, EveryEnvironmentOfAMixedBatchIsSolvedAsAlone) {
  const std::vector<ContactProblem> parts{cable(1), random_problem({.seed = 1}), cable(3)};
  const ContactProblem batch = test::joined(parts);
  const Solution whole = solution_of("auto", batch);
  for (int e = 0; e < batch.n_env(); ++e) {
    EXPECT_EQ(whole.env[e].status, SolveStatus::converged);
    expect_same_solution(whole, batch, e, solution_of(e == 1 ? "cond" : "newton", parts[e]));
  }
}

TEST(AutomaticSolver, WhatNewtonDoesNotSolveCondDoesAndSaysSo) {
  int n_fallback = 0, n_own = 0;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const ContactProblem p = random_problem({.seed = seed, .n_body = 2, .n_body_contact = 3});
    SolverOptions few = at_1e6("newton");
    few.max_iterations = 6;
    Solution solution = test::solve_once(p, few);
    const Solution of_newton = solution;
    const SolveReport first = solution.env[0];
    SolverOptions automatic;
    automatic.max_iterations = 3000;
    fall_back(p, automatic, {}, 0, &solution);
    const SolveReport& report = solution.env[0];
    SolverOptions of_cond = automatic;
    of_cond.solver = "cond";
    Solution from_there;
    make_solver(of_cond)->solve(p, {of_newton.v, of_newton.lambda}, &from_there);
    if (first.status == SolveStatus::converged) {
      EXPECT_EQ(report.iterations, first.iterations);
      EXPECT_EQ(report.reason, "");
    } else if (report.status == SolveStatus::converged) {
      ++n_fallback;
      EXPECT_THAT(report.reason,
                  testing::StartsWith(std::string("newton: ") + name_of(first.status)));
      const bool meets_rule =
          std::max(first.relative_residual, first.natural_map_error) <= kResidualTolerance;
      EXPECT_THAT(report.reason, testing::EndsWith(meets_rule ? "its answer meets cond's rule"
                                                              : "answer of cond"));
      EXPECT_EQ(report.solver, meets_rule ? first.solver : "cond");
      n_own += meets_rule;
      EXPECT_EQ(test::count_different(solution.v, meets_rule ? of_newton.v : from_there.v), 0);
      EXPECT_LE(std::max(report.relative_residual, report.natural_map_error), kResidualTolerance);
    } else {
      EXPECT_EQ(report.status, first.status) << "newton's answer is kept";
    }
  }
  EXPECT_GT(n_fallback, n_own);
}

TEST(AutomaticSolver, AnAnswerThatMeetsCondsRuleIsKept) {
  const ContactProblem p = random_problem({.seed = 3, .n_link = 4});
  Solution solution = solution_of("newton", p);
  ASSERT_EQ(solution.env[0].status, SolveStatus::converged);
  const std::vector<Vec3d> v = solution.v;
  solution.env[0].status = SolveStatus::stalled;
  solution.env[0].reason = "why";
  SolverOptions rough = at_1e6("auto");
  rough.tolerance = 1e-4;
  fall_back(p, rough, {}, 0, &solution);
  EXPECT_EQ(solution.env[0].status, SolveStatus::converged);
  EXPECT_EQ(solution.env[0].reason, "newton: stalled, why; its answer meets cond's rule");
  EXPECT_EQ(test::count_different(solution.v, v), 0);
}

TEST(AutomaticSolver, IsTheDefaultAndNamesWhoseAnswerItIs) {
  EXPECT_EQ(SolverOptions{}.solver, kAutomaticName);
  const std::vector<ContactProblem> parts{cable(1), random_problem({.seed = 1})};
  const Solution solution = test::solve_once(test::joined(parts), {});
  EXPECT_EQ(solution.env[0].solver, "newton");
  EXPECT_EQ(solution.env[1].solver, "cond");
  for (const SolveReport& report : solution.env) EXPECT_GT(report.work_units, report.iterations);
  EXPECT_EQ(solution_of("cond", parts[1]).env[0].solver, "");
}

TEST(AutomaticSolver, RefusesKeysOfCondThatAreSet) {
  const auto set = [](const std::function<void(SolverOptions&)>& change) {
    SolverOptions options = at_1e6("auto");
    change(options);
    return options;
  };
  const auto set_own = [&](const std::function<void(CondOptions&)>& change) {
    return set([&](SolverOptions& o) { change(o.of<CondOptions>()); });
  };
  const std::vector<std::pair<SolverOptions, std::string>> refused{
      {set_own([](CondOptions& o) { o.acceleration = Acceleration::nesterov; }),
       "solver.acceleration = nesterov (must be left out with solver auto; it belongs to cond"},
      {set_own([](CondOptions& o) { o.virtual_gain = 100; }), "solver.virtual_gain = 100 (must be"},
      {set_own([](CondOptions& o) { o.bias_cancellation = false; }),
       "solver.bias_cancellation = false"},
      {set([](SolverOptions& o) { o.execution.precision = Precision::mixed; }),
       "solver.precision = mixed"},
      {set_own([](CondOptions& o) { o.slow_start = 6; }), "solver.slow_start = 6"}};
  for (const auto& one : refused) {
    SolverOptions options = one.first;
    const std::string& message = one.second;
    EXPECT_THAT([&] { options.validate(); },
                testing::ThrowsMessage<InputError>(testing::HasSubstr(message)));
    options.solver = "cond";
    EXPECT_NO_THROW(options.validate());
  }
  EXPECT_NO_THROW(set([](SolverOptions& o) { o.execution.backend = Backend::cuda; }).validate())
      << "the backend is no key";
}

TEST(AutomaticSolver, TakesNoOtherRule) {
  SolverOptions options = at_1e6("auto");
  options.stop = StopRule::residual;
  try {
    make_solver(options);
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("solver.stop = residual (must be auto"));
  }
}

}  // namespace
}  // namespace nodia
