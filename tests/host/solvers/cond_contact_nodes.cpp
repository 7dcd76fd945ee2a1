/// COND on problems with contacts on points of bodies: with bias cancellation the solution is that
/// of the problem without contact nodes, as published it has the error floor of Prop. 2.
#include <gtest/gtest.h>

#include <string>

#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/all_values.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using test::solve_once;

RandomProblemOptions with_bodies(unsigned seed) {
  return {.seed = seed,
          .n_node = 14,
          .n_world_contact = 3,
          .n_pair_contact = 2,
          .n_body = 2,
          .n_body_contact = 3,
          .n_triangle_contact = 2,
          .n_link = seed % 2 == 0 ? 0 : 7};
}

SolverOptions options_of(double tolerance, double gain = 10) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = tolerance;
  options.max_iterations = 50000;
  options.of<CondOptions>().virtual_gain = gain;
  return options;
}

TEST(ContactNodes, WithBiasCancellationTheAnswerIsThatOfTheProblemWithoutThem) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem p = random_problem(with_bodies(seed));
    p.validate();
    const DenseReference reference = dense_reference(p);
    for (const double gain : {3.0, 10.0, 30.0}) {
      const Solution s = solve_once(p, options_of(1e-9, gain));
      const std::string what = "seed " + std::to_string(seed) + " gain " + std::to_string(gain) +
                               " iterations " + std::to_string(s.env[0].iterations);
      EXPECT_EQ(s.env[0].status, SolveStatus::converged) << what << " " << s.env[0].reason;
      EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-7) << what;
      EXPECT_LT(s.env[0].relative_residual, 2e-9) << what;
      EXPECT_LT(s.env[0].natural_map_error, 2e-9) << what;
      RecordProperty(what, s.env[0].iterations);
    }
  }
}

TEST(ContactNodes, AsPublishedTheErrorFallsWithTheGain) {
  // Prop. 2: the error of the converged answer is proportional to 1/kv.
  for (const unsigned seed : {1U, 5U}) {
    const ContactProblem p = random_problem(with_bodies(seed));
    const DenseReference reference = dense_reference(p);
    double before = 0;
    for (const double gain : {100.0, 1000.0}) {
      SolverOptions options = options_of(1e-9, gain);
      options.of<CondOptions>().bias_cancellation = false;
      options.max_iterations = 1000000;
      options.check_every = 64;  // the higher the gain, the slower the progress
      const Solution s = solve_once(p, options);
      EXPECT_EQ(s.env[0].status, SolveStatus::converged) << s.env[0].reason;
      const double error = relative_energy_distance(p, s.v, reference.v);
      if (before > 0) {
        EXPECT_NEAR(before / error, 10, 1) << "seed " << seed << " gain " << gain;
      }
      before = error;
    }
  }
}

TEST(ContactNodes, AsPublishedTheAnswerIsThatOfTheSofterContacts) {
  // Eliminating the contact nodes leaves contacts with the compliance 1/kv: D + softness I.
  const ContactProblem p = random_problem(with_bodies(3));
  SolverOptions options = options_of(1e-11);
  options.of<CondOptions>().bias_cancellation = false;
  options.of<CondOptions>().virtual_gain_N_s_m = 50;
  const Solution s = solve_once(p, options);
  ASSERT_EQ(s.env[0].status, SolveStatus::converged);
  const std::vector<Vec3d> u = contact_velocity(p, s.v);
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const int n_contact_node = p.is_point(c.side_i) + (c.side_j != kWorld && p.is_point(c.side_j));
    const Vec3d softened = u[m] + (n_contact_node / 50.0) * s.lambda[m];
    EXPECT_GT(softened.x, -1e-7) << m;
    EXPECT_LT(std::fabs(softened.x * s.lambda[m].x), 1e-6) << m;
  }
}

TEST(ContactNodes, EveryPrecisionReachesItsFloor) {
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const ContactProblem p = random_problem(with_bodies(seed));
      SolverOptions options = options_of(precision == Precision::float_ ? 1e-4 : 1e-8);
      options.execution.precision = precision;
      const Solution s = solve_once(p, options);
      EXPECT_EQ(s.env[0].status, SolveStatus::converged)
          << name_of(precision) << " seed " << seed << " " << s.env[0].reason;
      EXPECT_LT(relative_energy_distance(p, s.v, dense_reference(p).v),
                precision == Precision::float_ ? 3e-2 : 1e-6)
          << name_of(precision) << " seed " << seed;
    }
  }
}

TEST(ContactNodes, EveryStepSizeAndAccelerationConverges) {
  const ContactProblem p = random_problem(with_bodies(6));
  const DenseReference reference = dense_reference(p);
  for (const WKind w : test::all_values<WKind>())
    for (const Acceleration acceleration : test::all_values<Acceleration>()) {
      SolverOptions options = options_of(1e-8);
      options.of<CondOptions>().w = w;
      options.of<CondOptions>().acceleration = acceleration;
      options.max_iterations = 400000;
      const Solution s = solve_once(p, options);
      EXPECT_EQ(s.env[0].status, SolveStatus::converged)
          << name_of(w) << " " << name_of(acceleration) << " " << s.env[0].reason;
      EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-6)
          << name_of(w) << " " << name_of(acceleration);
    }
}

TEST(ContactNodes, AWarmStartAtTheAnswerStaysThere) {
  const ContactProblem p = random_problem(with_bodies(2));
  const Solution s = solve_once(p, options_of(1e-10));
  const Solution again = solve_once(p, options_of(1e-6), {s.v, s.lambda});
  EXPECT_LE(again.env[0].iterations, 24);
  EXPECT_LT(relative_energy_distance(p, again.v, s.v), 1e-6);
}

TEST(ContactNodes, ThePointsComeAndGo) {
  // One solver, problems with and without points over the same pattern: each as if solved alone.
  const ContactProblem with = random_problem(with_bodies(4));
  ContactProblem without = with;
  without.points.clear();
  without.env_point_begin = {0};
  std::erase_if(without.contacts, [&](const Contact<double>& c) {
    return with.is_point(c.side_i) || (c.side_j != kWorld && with.is_point(c.side_j));
  });
  without.env_contact_begin.back() = without.n_contact();
  const auto solver = make_solver(options_of(1e-9));
  Solution s;
  for (const ContactProblem* p :
       std::initializer_list<const ContactProblem*>{&without, &with, &without, &with}) {
    solver->solve(*p, {}, &s);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged);
    EXPECT_LT(relative_energy_distance(*p, s.v, dense_reference(*p).v), 1e-7);
  }
}

TEST(ContactNodes, OtherSolversAgree) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    const ContactProblem p = random_problem(with_bodies(seed));
    const DenseReference reference = dense_reference(p);
    for (const char* name : {"pgs", "apgd"}) {
      SolverOptions options = options_of(1e-9);
      options.solver = name;
      const Solution s = solve_once(p, options);
      EXPECT_LT(relative_energy_distance(p, s.v, reference.v), 1e-5) << name << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace nodia
