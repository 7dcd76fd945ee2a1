/// COND against the dense reference on random problems: every W, acceleration and projection.
#include <gtest/gtest.h>

#include <cmath>

#include "host/errors/errors.hpp"
#include "host/solvers/cond/options.hpp"
#include "tests/support/all_values.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

using test::solve_once;

double energy_distance(const ContactProblem& p, const std::vector<Vec3d>& a,
                       const std::vector<Vec3d>& b) {
  std::vector<Vec3d> e(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) e[i] = a[i] - b[i];
  const auto energy = [&](const std::vector<Vec3d>& x) {
    const std::vector<Vec3d> Ax = p.A.multiply(x);
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += dot(x[i], Ax[i]);
    return sum;
  };
  return std::sqrt(energy(e) / energy(b));
}

SolverOptions tight_cond() {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-12;
  options.max_iterations = 100000;
  return options;
}

TEST(CondReference, EveryStepSizeAndAccelerationReachesTheDenseSolution) {
  for (const Projection projection : {Projection::strict, Projection::proximal})
    for (unsigned seed = 1; seed <= 4; ++seed) {
      const ContactProblem p = random_problem({.seed = seed,
                                               .distinct_nodes = true,
                                               .anisotropic = seed % 2 == 0,
                                               .theta = 0.5 + 0.5 * (seed % 2)});
      const DenseReference reference = dense_reference(p, projection);
      for (const WKind w : test::all_values<WKind>())
        for (const Acceleration acceleration : test::all_values<Acceleration>()) {
          SolverOptions options = tight_cond();
          options.projection = projection;
          options.of<CondOptions>().w = w;
          options.of<CondOptions>().acceleration = acceleration;
          const Solution s = solve_once(p, options);
          const std::string what = std::string(name_of(w)) + " " + name_of(acceleration) + " " +
                                   name_of(projection) + " seed " + std::to_string(seed);
          EXPECT_EQ(s.env[0].status, SolveStatus::converged) << what << ": " << s.env[0].reason;
          EXPECT_LT(energy_distance(p, s.v, reference.v), 1e-9) << what;
          EXPECT_LE(s.env[0].lambda_max_WA, 1.9) << what;
        }
    }
}

TEST(CondReference, SeveralContactsOnANodeMeetTheirConditions) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .n_node = 6, .n_world_contact = 8, .n_pair_contact = 4});
    SolverOptions options = tight_cond();
    options.tolerance = 1e-9;
    const Solution s = solve_once(p, options);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged)
        << "seed " << seed << ": " << s.env[0].reason;
    EXPECT_LT(s.env[0].natural_map_error, 2e-9) << "seed " << seed;
    EXPECT_LT(s.env[0].relative_residual, 2e-9) << "seed " << seed;
  }
}

TEST(CondReference, ContactSplitInTwoLeavesTheVelocity) {
  const ContactProblem p = random_problem({.seed = 5, .n_pair_contact = 0, .distinct_nodes = true});
  ContactProblem split = p;
  for (const Contact<double>& c : p.contacts) split.contacts.push_back(c);
  split.env_contact_begin.back() = split.n_contact();
  EXPECT_LT(energy_distance(p, solve_once(split, tight_cond()).v, solve_once(p, tight_cond()).v),
            1e-9);
}

TEST(CondReference, FrictionlessContactAndPermutationAndScalingLeaveTheVelocity) {
  const ContactProblem p = random_problem({.seed = 9, .distinct_nodes = true});
  const std::vector<Vec3d> v = solve_once(p, tight_cond()).v;
  ContactProblem permuted = p;
  std::reverse(permuted.contacts.begin(), permuted.contacts.end());
  EXPECT_LT(energy_distance(p, solve_once(permuted, tight_cond()).v, v), 1e-9);
  ContactProblem scaled = p;  // masses and forces by s: the same velocities
  const double s = 1e3;
  for (double& a : scaled.A.value) a *= s;
  for (Vec3d& b : scaled.b) b = s * b;
  for (double& m : scaled.mass) m *= s;
  EXPECT_LT(energy_distance(p, solve_once(scaled, tight_cond()).v, v), 1e-9);
}

TEST(CondReference, SinglePrecisionReachesItsFloor) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    const ContactProblem p = random_problem({.seed = seed, .distinct_nodes = true});
    SolverOptions options = tight_cond();
    options.execution.precision = Precision::float_;
    options.tolerance = 1e-5;
    const Solution s = solve_once(p, options);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged) << "seed " << seed;
    EXPECT_LT(energy_distance(p, s.v, dense_reference(p).v), 1e-3) << "seed " << seed;
  }
}

TEST(CondTheory, SurrogateDelassusOperatorIsDiagonal) {
  // Prop. 3: J W J^T = diag(gamma_m I) for one contact a node and one w a node.
  const ContactProblem p = random_problem({.seed = 3, .distinct_nodes = true});
  const Eigen::MatrixXd J = dense_reference_detail::dense_jacobian(p);
  Eigen::VectorXd w(3 * p.n_node());
  for (int i = 0; i < p.n_node(); ++i) w.segment<3>(3 * i).setConstant(0.1 + i);
  const Eigen::MatrixXd gamma = J * w.asDiagonal() * J.transpose();
  for (int m = 0; m < p.n_contact(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const double expected = 0.1 + c.side_i + (c.side_j == kWorld ? 0.0 : 0.1 + c.side_j);
    EXPECT_LT((gamma.block<3, 3>(3 * m, 3 * m) - expected * Eigen::Matrix3d::Identity()).norm(),
              1e-12 * expected);
  }
  Eigen::MatrixXd off = gamma;
  for (int m = 0; m < p.n_contact(); ++m) off.block<3, 3>(3 * m, 3 * m).setZero();
  EXPECT_LT(off.norm(), 1e-12 * gamma.norm());
}

TEST(CondTheory, ProximalAnswerIsTheOptimumOfTheConvexProblem) {
  // Prop. 5, with a proof of optimality in place of another solver's word for it: the primal value
  // of min 1/2 v.A v - b.v over u = J v + phi in the dual cone is never below the dual one of
  // lambda in the cone, and they meet at the optimum alone.
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const ContactProblem p =
        random_problem({.seed = seed, .distinct_nodes = true, .anisotropic = seed % 2 == 0});
    SolverOptions options = tight_cond();
    options.projection = Projection::proximal;
    const Solution s = solve_once(p, options);
    ASSERT_EQ(s.env[0].status, SolveStatus::converged);
    const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p),
                          J = dense_reference_detail::dense_jacobian(p);
    Eigen::VectorXd v(3 * p.n_node()), b(3 * p.n_node());
    Eigen::VectorXd lambda(3 * p.n_contact()), phi(3 * p.n_contact());
    for (int i = 0; i < p.n_node(); ++i)
      for (int k = 0; k < 3; ++k) {
        v[3 * i + k] = s.v[i][k];
        b[3 * i + k] = p.b[i][k];
      }
    for (int m = 0; m < p.n_contact(); ++m)
      for (int k = 0; k < 3; ++k) {
        lambda[3 * m + k] = s.lambda[m][k];
        phi[3 * m + k] = p.contacts[m].phi[k];
      }
    const Eigen::VectorXd u = J * v + phi, load = b + J.transpose() * lambda;
    for (int m = 0; m < p.n_contact(); ++m) {
      const Contact<double>& c = p.contacts[m];
      EXPECT_GE(u[3 * m], std::hypot(c.mu1 * u[3 * m + 1], c.mu2 * u[3 * m + 2]) - 1e-8);
      const double rest = std::max(c.mu1 * c.mu2 * lambda[3 * m], 0.0);
      EXPECT_LE(std::hypot(c.mu2 * lambda[3 * m + 1], c.mu1 * lambda[3 * m + 2]),
                rest * (1 + 1e-12) + 1e-12);
    }
    const double primal = v.dot(A * v) / 2 - b.dot(v);
    const double dual = -load.dot(test::solve_symmetric(A, load).col(0)) / 2 - phi.dot(lambda);
    EXPECT_NEAR(primal, dual, 1e-7 * std::abs(primal)) << "seed " << seed;
  }
}

TEST(CondTheory, ProximalStepsNeverGrow) {
  // Thm. 2: with W = alpha I and the proximal operator |v^(l+1) - v^l| never increases.
  const ContactProblem p = random_problem({.seed = 7, .distinct_nodes = true});
  SolverOptions options;
  options.solver = "cond";
  options.projection = Projection::proximal;
  options.of<CondOptions>().w = WKind::alpha_identity;
  options.of<CondOptions>().acceleration = Acceleration::none;
  options.stop = StopRule::paper;
  options.tolerance = 1e-300;
  double before = 1e300;
  for (int l = 1; l <= 60; ++l) {
    options.max_iterations = l;
    const double step = solve_once(p, options).env[0].velocity_step;
    EXPECT_LE(step, before * (1 + 1e-12)) << "iteration " << l;
    before = step;
  }
}

TEST(CondTheory, CertificateBoundsTheErrorEnergy) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const ContactProblem p = random_problem({.seed = seed, .distinct_nodes = true});
    const DenseReference reference = dense_reference(p, Projection::proximal);
    for (const double tolerance : {1e-1, 1e-2, 1e-4}) {
      SolverOptions options;
      options.solver = "cond";
      options.projection = Projection::proximal;
      options.tolerance = tolerance;
      options.check_every = 1;
      const Solution s = solve_once(p, options);
      std::vector<Vec3d> e(s.v.size());
      for (std::size_t i = 0; i < e.size(); ++i) e[i] = s.v[i] - reference.v[i];
      const std::vector<Vec3d> Ae = p.A.multiply(e);
      double energy = 0;
      for (std::size_t i = 0; i < e.size(); ++i) energy += 0.5 * p.step_s * dot(e[i], Ae[i]);
      EXPECT_LE(energy, s.env[0].certificate_J * (1 + 1e-9))
          << "seed " << seed << " tolerance " << tolerance;
    }
  }
}

}  // namespace
}  // namespace nodia
