// The state of a solver: another one that is given it continues with the same bits; without it a
// solver starts as one that was never used.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ostream>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

struct Remembering {
  const char* solver;
  Precision precision = Precision::double_;
  int w_recycle_steps = 1;
  Acceleration acceleration = Acceleration::chebyshev;
};

void PrintTo(const Remembering& c, std::ostream* out) {
  *out << c.solver << " " << name_of(c.precision) << " " << c.w_recycle_steps;
}

std::vector<Remembering> all_solvers() {
  std::vector<Remembering> all;
  for (const SolverEntry& entry : solver_catalogue()) all.push_back({entry.name});
  for (const Precision precision : {Precision::mixed, Precision::float_})
    all.push_back({"cond", precision});
  all.push_back({"cond", Precision::double_, 3});
  all.push_back({"cond", Precision::float_, 3, Acceleration::nesterov});
  return all;
}

SolverOptions options_of(const Remembering& c) {
  SolverOptions options;
  options.solver = c.solver;
  options.tolerance = 1e-4;
  options.max_iterations = 60;
  options.execution.threads = 1;
  options.execution.precision = c.precision;
  CondOptions& cond = options.of<CondOptions>();
  cond.w_recycle_steps = c.w_recycle_steps;
  cond.acceleration = c.acceleration;
  return options;
}

/// Two environments with rigid bodies, points of triangles and a chain; or of nodes alone, where W
/// can be kept over steps.
ContactProblem first_problem(bool with_bodies, unsigned seed = 3) {
  RandomProblemOptions options{
      .seed = seed, .n_env = 2, .n_node = 150, .n_world_contact = 20, .n_pair_contact = 4};
  if (with_bodies) {
    options.n_body = 2;
    options.n_body_contact = 2;
    options.n_triangle_contact = 2;
    options.n_link = 4;
  }
  return random_problem(options);
}

/// The problem of step k: other values, and other nodes in contact, on the same pattern.
ContactProblem at_step(const ContactProblem& first, int k, int n_free_node) {
  ContactProblem p = first;
  for (double& a : p.A.value) a *= 1 + 0.07 * k;
  for (std::size_t i = 0; i < p.b.size(); ++i)
    p.b[i] = (1 + 0.2 * k * static_cast<double>(i % 5)) * p.b[i];
  for (int e = 0; e < p.n_env(); ++e)
    for (int m = p.env_contact_begin[e]; m < p.env_contact_begin[e + 1]; ++m)
      for (std::int32_t* side : {&p.contacts[m].side_i, &p.contacts[m].side_j}) {
        const std::int32_t node = *side - p.env_node_begin[e];
        if (*side == kWorld || p.is_point(*side) || node >= n_free_node) continue;
        *side = p.env_node_begin[e] + (node + 11 * k) % n_free_node;
      }
  p.validate();
  return p;
}

Solution solve(ContactSolver* solver, const ContactProblem& p, const WarmStart& warm = {}) {
  Solution solution;
  solver->solve(p, warm, &solution);
  return solution;
}

void expect_same(const Solution& a, const Solution& b) {
  EXPECT_EQ(test::count_different(a.v, b.v), 0);
  EXPECT_EQ(test::count_different(a.lambda, b.lambda), 0);
  for (std::size_t e = 0; e < a.env.size(); ++e) {
    EXPECT_EQ(a.env[e].iterations, b.env[e].iterations);
    EXPECT_EQ(a.env[e].lambda_max_WA, b.env[e].lambda_max_WA);
  }
}

class SolverStatesOf : public testing::TestWithParam<Remembering> {};

TEST_P(SolverStatesOf, HandedToAnotherSolverItGoesOnWithTheSameBits) {
  const bool has_state = GetParam().solver == std::string("cond");
  for (const bool with_bodies : {false, true}) {
    const ContactProblem first = first_problem(with_bodies);
    const auto a = make_solver(options_of(GetParam())), b = make_solver(options_of(GetParam())),
               fresh = make_solver(options_of(GetParam()));
    WarmStart warm;
    for (int k = 0; k < 2; ++k) {
      const Solution s = solve(a.get(), at_step(first, k, 150), warm);
      warm = {s.v, s.lambda};
    }
    const SolverStates state = states_of(a.get(), 2);
    EXPECT_EQ(states_of(a.get(), 2), state) << "reading it changes it";
    set_states_of(b.get(), state);
    EXPECT_EQ(states_of(b.get(), 2), state) << "read back before a solve";
    for (int k = 2; k < 5; ++k) {
      const ContactProblem p = at_step(first, k, 150);
      const Solution one = solve(a.get(), p, warm), two = solve(b.get(), p, warm);
      expect_same(one, two);
      EXPECT_EQ(states_of(a.get(), 2), states_of(b.get(), 2));
      if (k == 2) {
        const Solution cold = solve(fresh.get(), p, warm);
        if (has_state) {
          EXPECT_FALSE(state[0].empty() || state[1].empty());
          // Where the guard acts, another estimate shows in the velocities alone.
          EXPECT_TRUE(one.env[0].lambda_max_WA != cold.env[0].lambda_max_WA ||
                      test::count_different(one.v, cold.v) > 0)
              << "nothing was remembered";
        }
      }
      warm = {one.v, one.lambda};
    }
  }
}

TEST_P(SolverStatesOf, ForgottenItIsAsOfASolverThatWasNeverUsed) {
  const ContactProblem first = first_problem(true), second = at_step(first, 1, 150);
  const auto used = make_solver(options_of(GetParam())),
             fresh = make_solver(options_of(GetParam()));
  const Solution cold = solve(fresh.get(), first);
  solve(used.get(), first);
  solve(used.get(), second);
  for (int e = 0; e < 2; ++e) used->reset(e);
  expect_same(solve(used.get(), first), cold);
}

TEST_P(SolverStatesOf, OfOneEnvironmentAloneIsForgottenAlone) {
  const ContactProblem first = first_problem(false), second = at_step(first, 1, 150);
  const auto a = make_solver(options_of(GetParam())), b = make_solver(options_of(GetParam())),
             fresh = make_solver(options_of(GetParam()));
  const Solution cold = solve(fresh.get(), first);
  for (ContactSolver* solver : {a.get(), b.get()}) {
    solve(solver, first);
    solve(solver, second);
  }
  a->reset(1);
  const Solution one = solve(a.get(), first), kept = solve(b.get(), first);
  EXPECT_EQ(one.env[0].lambda_max_WA, kept.env[0].lambda_max_WA);
  EXPECT_EQ(one.env[1].lambda_max_WA, cold.env[1].lambda_max_WA);
  for (int i = 0; i < first.n_node(); ++i)
    EXPECT_EQ(norm(one.v[i] - (i < first.env_node_begin[1] ? kept : cold).v[i]), 0) << i;
}

TEST_P(SolverStatesOf, ThatDoesNotFitIsNoMemory) {
  const ContactProblem other = first_problem(true, 9), p = first_problem(false);
  const auto used = make_solver(options_of(GetParam())),
             fresh = make_solver(options_of(GetParam()));
  const Solution cold = solve(fresh.get(), p);
  solve(used.get(), other);
  SolverStates state = states_of(used.get(), 2);
  const auto expect_cold = [&](const SolverStates& given) {
    const auto solver = make_solver(options_of(GetParam()));
    set_states_of(solver.get(), given);
    expect_same(solve(solver.get(), p), cold);
  };
  expect_cold(state);            // of other environments
  expect_cold({});               // of none
  expect_cold(SolverStates(2));  // empty ones
  SolverStates own = states_of(fresh.get(), 2);
  for (SolverState& lists : own)
    if (!lists.empty()) lists.erase(std::prev(lists.end()));
  expect_cold(own);  // with a list missing
}

INSTANTIATE_TEST_SUITE_P(Solvers, SolverStatesOf, testing::ValuesIn(all_solvers()),
                         [](const auto& test) {
                           return std::string(test.param.solver) + "_" +
                                  name_of(test.param.precision) + "_" +
                                  std::to_string(test.param.w_recycle_steps);
                         });

TEST(SolverStates, OfBestIsThatOfItsSolversByName) {
  SolverOptions options;
  options.solver = "best";
  const auto best = make_solver(options);
  EXPECT_TRUE(best->state(0).empty());
  solve(best.get(), first_problem(false));
  for (int e = 0; e < 2; ++e)
    EXPECT_THAT(best->state(e), testing::Contains(testing::Key("cond.w")));
}

}  // namespace
}  // namespace nodia
