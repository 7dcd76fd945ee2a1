// The proximal Newton method on local problems: analytic contacts, rank-deficient matrices, units,
// order of the contacts.
#include "host/solvers/proximal_newton/proximal_newton.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "host/solvers/proximal_newton/newton_direction.hpp"
#include "kernels/contact/law.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

struct RandomLocalOptions {
  unsigned seed = 1;
  int n_contact = 8;
  int n_unknown = 40;  ///< of W = H M^-1 H^T: its rank is at most that
  double mass_decades = 0;
  double mu_max = 1;
  bool anisotropic = false;
};

/// W = H M^-1 H^T with a velocity that opens every contact, so that there is a solution.
LocalProblem random_local(const RandomLocalOptions& o) {
  std::mt19937_64 engine(o.seed);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * static_cast<double>(engine() >> 11) * 0x1p-53;
  };
  const auto fill = [&](Eigen::MatrixXd m) {
    for (double& x : m.reshaped()) x = uniform(-1, 1);
    return m;
  };
  Eigen::MatrixXd H = fill(Eigen::MatrixXd(3 * o.n_contact, o.n_unknown));
  const Eigen::VectorXd opening = fill(Eigen::MatrixXd(o.n_unknown, 1));
  LocalProblem p;
  for (int m = 0; m < o.n_contact; ++m) {
    if (H.row(3 * m).dot(opening) < 0) H.row(3 * m) *= -1;
    p.mu1.push_back(uniform(0, o.mu_max));
    p.mu2.push_back(o.anisotropic ? uniform(0, o.mu_max) : p.mu1.back());
  }
  for (int i = 0; i < o.n_unknown; ++i) H.col(i) *= std::pow(10, -uniform(0, o.mass_decades) / 2);
  p.W = BlockColumns::of(Eigen::MatrixXd(H * H.transpose()));
  p.q = H * fill(Eigen::MatrixXd(o.n_unknown, 1)) - H * opening;
  return p;
}

/// |lambda - P(lambda - u/d)| over |lambda|, d the compliance of each contact: strict law.
double natural_map_of(const LocalProblem& p, const Eigen::VectorXd& lambda) {
  const Eigen::VectorXd u = p.velocity(lambda);
  double sum = 0, size = 0;
  for (int m = 0; m < p.n_contact(); ++m) {
    const double d = p.W.own(m).diagonal().mean();
    const Eigen::Vector3d t = lambda.segment<3>(3 * m) - u.segment<3>(3 * m) / d;
    const Vec3d force = project(Projection::strict, {t[0], t[1], t[2]}, p.mu1[m], p.mu2[m]);
    sum += (lambda.segment<3>(3 * m) - Eigen::Vector3d(force.x, force.y, force.z)).squaredNorm();
    size += force.x * force.x + force.y * force.y + force.z * force.z +
            p.q.segment<3>(3 * m).squaredNorm() / (d * d);
  }
  return std::sqrt(sum / size);
}

struct Solved {
  Eigen::VectorXd lambda, u;
  LocalSolution solution;
};

Solved solved_local(const LocalProblem& p, double tolerance = 1e-11, int limit = 5000) {
  Solved s;
  s.lambda = Eigen::VectorXd::Zero(p.q.size());
  s.solution = proximal_newton(p, s.lambda, limit,
                               [&](const Eigen::VectorXd& lambda, const Eigen::VectorXd& u) {
                                 s.lambda = lambda;
                                 s.u = u;
                                 return natural_map_of(p, lambda) <= tolerance;
                               });
  return s;
}

LocalProblem one_contact(const Eigen::Matrix3d& W, const Eigen::Vector3d& q, double mu) {
  return {BlockColumns::of(Eigen::MatrixXd(W)), q, {mu}, {mu}};
}

TEST(ProximalNewton, OneContactThatOpens) {
  const Solved s = solved_local(one_contact(2 * Eigen::Matrix3d::Identity(), {0.5, 1, -2}, 0.7));
  EXPECT_EQ(s.solution.status, SolveStatus::converged);
  EXPECT_EQ(s.lambda, Eigen::VectorXd::Zero(3));
}

TEST(ProximalNewton, OneContactThatSticks) {
  Eigen::Matrix3d W;
  W << 2, 0.3, -0.1, 0.3, 1, 0.2, -0.1, 0.2, 1.5;
  const Eigen::Vector3d q(-3, 0.2, -0.1);
  const Solved s = solved_local(one_contact(W, q, 0.9));
  EXPECT_EQ(s.solution.status, SolveStatus::converged);
  EXPECT_LT((s.lambda - W.inverse() * -q).norm(), 1e-10);
}

TEST(ProximalNewton, OneContactThatSlips) {
  const Solved s = solved_local(one_contact(2 * Eigen::Matrix3d::Identity(), {-4, 6, -8}, 0.5));
  EXPECT_EQ(s.solution.status, SolveStatus::converged);
  EXPECT_LT((s.lambda - Eigen::Vector3d(2, -0.6, 0.8)).norm(), 1e-10);
}

TEST(ProximalNewton, WithoutFrictionNothingHoldsTheTangent) {
  const Solved s = solved_local(one_contact(Eigen::Matrix3d::Identity(), {-1, 1, 1}, 0));
  EXPECT_EQ(s.solution.status, SolveStatus::converged);
  EXPECT_LT((s.lambda - Eigen::Vector3d(1, 0, 0)).norm(), 1e-12);
}

/// The matrix and right-hand side that a Newton step solves are the derivative of the equations.
TEST(ProximalNewton, DirectionSolvesTheLinearisedEquations) {
  int n_state[3] = {0, 0, 0};
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const LocalProblem p =
        equilibrate(
            random_local(
                {.seed = seed, .n_contact = 5, .n_unknown = 20, .anisotropic = seed % 2 == 0}))
            .problem;
    std::mt19937_64 engine(seed);
    Eigen::VectorXd x(p.q.size());
    for (double& value : x) value = static_cast<double>(engine() >> 11) * 0x1p-53;
    const Proximal proximal{0.1, 0.5, Eigen::VectorXd::Zero(x.size())};
    NewtonDirection direction(p);
    direction.linearise(proximal, x);
    Eigen::VectorXd d;
    ASSERT_TRUE(direction.solve(&d));
    const auto F = [&](const Eigen::VectorXd& at) {
      const Eigen::VectorXd w = p.velocity(at) + proximal.alpha * (at - proximal.at);
      Eigen::VectorXd f(at.size());
      for (int m = 0; m < p.n_contact(); ++m) {
        const Eigen::Vector3d t = at.segment<3>(3 * m) - proximal.rho * w.segment<3>(3 * m);
        const ContactTangent law = strict_tangent({t[0], t[1], t[2]}, t[0], p.mu1[m], p.mu2[m]);
        ++n_state[static_cast<int>(law.state)];
        f.segment<3>(3 * m) =
            at.segment<3>(3 * m) - Eigen::Vector3d(law.force.x, law.force.y, law.force.z);
      }
      return f;
    };
    const double step = 1e-6;
    const Eigen::VectorXd change = (F(x + step * d) - F(x - step * d)) / (2 * step);
    EXPECT_LT((change + F(x)).norm(), 1e-6 * (F(x).norm() + d.norm())) << seed;
  }
  for (const int n : n_state) EXPECT_GT(n, 20);
}

TEST(ProximalNewton, SolvesRandomProblemsOfFullRank) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Solved s = solved_local(random_local({.seed = seed, .anisotropic = seed % 2 == 0}));
    EXPECT_EQ(s.solution.status, SolveStatus::converged) << seed << ' ' << s.solution.reason;
  }
}

TEST(ProximalNewton, SolvesRandomProblemsWhoseForcesAreNotUnique) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Solved s = solved_local(random_local(
        {.seed = seed, .n_contact = 30, .n_unknown = 24, .mass_decades = 3, .mu_max = 0.8}));
    EXPECT_EQ(s.solution.status, SolveStatus::converged) << seed << ' ' << s.solution.reason;
  }
}

TEST(ProximalNewton, VelocitiesAreThoseOfGaussSeidel) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .n_node = 20, .n_world_contact = 12, .n_pair_contact = 8});
    SolverOptions options;
    options.tolerance = 1e-12;
    options.max_iterations = 100000;
    options.solver = "pgs";
    const Solution pgs = test::solve_once(p, options);
    options.solver = "proximal_newton";
    const Solution newton = test::solve_once(p, options);
    ASSERT_EQ(pgs.env[0].status, SolveStatus::converged);
    ASSERT_EQ(newton.env[0].status, SolveStatus::converged) << newton.env[0].reason;
    for (int i = 0; i < p.n_node(); ++i) EXPECT_LT(norm(pgs.v[i] - newton.v[i]), 1e-8) << seed;
  }
}

/// Forces and velocities in other units are the same problem: powers of two, the same bits.
TEST(ProximalNewton, UnitsDoNotMatter) {
  const LocalProblem p = random_local({.seed = 3, .n_contact = 30, .n_unknown = 30});
  LocalProblem q = p;
  const double length = 0x1p12, force = 0x1p-20;
  for (Eigen::Matrix3d& block : q.W.block) block *= length / force;
  q.q *= length;
  const Solved a = solved_local(p), b = solved_local(q);
  EXPECT_EQ(a.solution.status, SolveStatus::converged);
  EXPECT_EQ(a.solution.newton_steps, b.solution.newton_steps);
  EXPECT_LT((b.lambda - force * a.lambda).norm(), 1e-12 * b.lambda.norm());
}

TEST(ProximalNewton, TheOrderOfContactsDoesNotMatter) {
  const int n = 12;
  const LocalProblem p = random_local({.seed = 4, .n_contact = n, .n_unknown = 60});
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(3 * n, 3 * n);
  for (int m = 0; m < n; ++m)
    for (int k = p.W.begin[m]; k < p.W.begin[m + 1]; ++k)
      W.block<3, 3>(3 * (n - 1 - p.W.row[k]), 3 * (n - 1 - m)) = p.W.block[k];
  LocalProblem reversed{BlockColumns::of(W), p.q, p.mu1, p.mu2};
  for (int m = 0; m < n; ++m) {
    reversed.q.segment<3>(3 * (n - 1 - m)) = p.q.segment<3>(3 * m);
    reversed.mu1[n - 1 - m] = p.mu1[m];
    reversed.mu2[n - 1 - m] = p.mu2[m];
  }
  const Solved a = solved_local(p), b = solved_local(reversed);
  ASSERT_EQ(a.solution.status, SolveStatus::converged);
  ASSERT_EQ(b.solution.status, SolveStatus::converged);
  for (int m = 0; m < n; ++m)
    EXPECT_LT((a.lambda.segment<3>(3 * m) - b.lambda.segment<3>(3 * (n - 1 - m))).norm(), 1e-8);
}

/// Large dense matrices too.
TEST(ProximalNewton, ThreadsDoNotMatter) {
  const LocalProblem p = random_local({.seed = 5, .n_contact = 150, .n_unknown = 200});
  const int before = Eigen::nbThreads();
  Eigen::setNbThreads(1);
  const Solved one = solved_local(p, 1e-9);
  Eigen::setNbThreads(3);
  const Solved three = solved_local(p, 1e-9);
  EXPECT_EQ(Eigen::nbThreads(), 3);
  Eigen::setNbThreads(before);
  EXPECT_EQ(one.solution.status, SolveStatus::converged) << one.solution.reason;
  EXPECT_GT(one.solution.newton_steps, 0);
  EXPECT_EQ(one.lambda, three.lambda);
}

TEST(ProximalNewton, SparseAndDenseMatricesHaveTheSameBlocks) {
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(9, 9);
  W(0, 0) = 1;
  W(2, 1) = 2;
  W(7, 1) = -3;
  W(5, 8) = 4;
  const BlockColumns dense = BlockColumns::of(W),
                     sparse = BlockColumns::of(Eigen::SparseMatrix<double>(W.sparseView()));
  EXPECT_EQ(dense.begin, sparse.begin);
  EXPECT_EQ(dense.row, sparse.row);
  EXPECT_EQ(dense.block, sparse.block);
  EXPECT_THAT(dense.row, testing::ElementsAre(0, 2, 1, 1, 2));
  EXPECT_THAT(dense.diagonal, testing::ElementsAre(0, 2, 4));
}

TEST(ProximalNewton, TooFewIterationsAreReportedAsThat) {
  const Solved s = solved_local(
      random_local({.seed = 1, .n_contact = 30, .n_unknown = 24, .mass_decades = 3}), 1e-11, 7);
  EXPECT_EQ(s.solution.status, SolveStatus::iteration_limit);
  EXPECT_EQ(s.solution.sweeps + s.solution.newton_steps, 7);
}

TEST(ProximalNewton, AProblemWithoutAnAnswerEndsWithAReason) {
  // Two contacts on one velocity that close in from both sides.
  Eigen::MatrixXd W = Eigen::MatrixXd::Zero(6, 6);
  W.diagonal().setOnes();
  W(0, 3) = W(3, 0) = -1;
  LocalProblem p{BlockColumns::of(W), Eigen::VectorXd::Zero(6), {0.3, 0.3}, {0.3, 0.3}};
  p.q[0] = p.q[3] = -1;
  const Solved s = solved_local(p, 1e-11, 20000);
  EXPECT_EQ(s.solution.status, SolveStatus::infeasible);
  EXPECT_FALSE(s.solution.reason.empty());
  EXPECT_TRUE(s.lambda.allFinite());
}

TEST(ProximalNewton, ADamagedProblemIsNotANumber) {
  LocalProblem p = random_local({});
  p.q[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(solved_local(p).solution.status, SolveStatus::not_a_number);
}

TEST(ProximalNewton, RefusesTheConvexRelaxation) {
  SolverOptions options;
  options.solver = "proximal_newton";
  options.projection = Projection::proximal;
  EXPECT_THROW(make_solver(options), InputError);
}

}  // namespace
}  // namespace nodia
