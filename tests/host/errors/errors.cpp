#include "host/errors/errors.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <random>

#include "kernels/core/error.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/projection_oracle.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

double max_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double d = 0;
  for (std::size_t i = 0; i < a.size(); ++i) d = std::max(d, norm(a[i] - b[i]));
  return d;
}

/// One node of mass m, A = (m/t) I, one contact with the world, normal +z.
ContactProblem one_node(double m, double t, Vec3d b, Vec3d phi, double mu) {
  ContactProblem p;
  p.step_s = t;
  p.A = BlockMatrix(BlockPattern::from_couplings(1, {}));
  p.A.set_block(0, m / t * Mat3d::identity());
  p.b = {b};
  p.mass = {m};
  Contact<double> c;
  c.R = {{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}};
  c.phi = phi;
  c.mu1 = c.mu2 = mu;
  p.contacts = {c};
  p.env_node_begin = {0, 1};
  p.env_contact_begin = {0, 1};
  p.derive_topology();
  p.validate();
  return p;
}

// m = 2 kg, t = 0.1 s: A = 20 kg/s. All numbers below follow by hand.
TEST(MeasureErrors, OfOneNodeByHand) {
  const ContactProblem p = one_node(2, 0.1, {0, 0, -20}, {0, 0, 0}, 0.5);
  const std::vector<Vec3d> v{{0, 0, -0.5}}, lambda{{6, 0, 0}};
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
  EXPECT_DOUBLE_EQ(diagonal[0].x, 0.05);
  const ErrorReport e = measure_errors(p, 0, v, lambda, diagonal);
  // r = 20 (-0.5) + 20 - 6 = 4 N; |b| = 20 N is the larger force.
  EXPECT_DOUBLE_EQ(e.relative_residual, 4.0 / 20);
  EXPECT_DOUBLE_EQ(e.certificate_J, 0.1 * 0.1 / 2 * 16 / 2);
  // u = (-0.5, 0, 0): d |lambda - P(lambda - u/d)| = |u| = 0.5; the scale is max(0.05 * 6, 0.5).
  EXPECT_DOUBLE_EQ(e.natural_map_error, 1);
  // e_dyn = 4/max(20, 10, 6), e_cpl = |r - P(r - u)|/max(|u|, |r|) = 0.5/6.
  EXPECT_DOUBLE_EQ(e.error_siconos, 4.0 / 20 + 0.5 / 6);
  // x = 0.6 N s, a = 0.5 1/kg: w^2/(2a) = 0.25.
  EXPECT_DOUBLE_EQ(e.energy_error_J, 0.25);
  EXPECT_DOUBLE_EQ(e.penetration_velocity, 0.5);
}

TEST(MeasureErrors, SiconosMeasureWithSlipByHand) {
  // Contact force (2, 0, 0), slip velocity (0, 3, 0), mu = 0.5: u~ = (1.5, 3, 0), lambda - u~ =
  // (0.5, -3, 0), on the cone lambda_n = (0.5 + 0.5 * 3)/1.25 = 1.6, so P = (1.6, -0.8, 0) and
  // e_abs = |(0.4, 0.8)|.
  const ContactProblem p = one_node(2, 0.1, {60, 0, -2}, {0, 0, 0}, 0.5);
  const std::vector<Vec3d> v{{3, 0, 0}}, lambda{{2, 0, 0}};
  const ErrorReport e = measure_errors(p, 0, v, lambda, delassus_diagonal_estimate(p));
  EXPECT_EQ(e.relative_residual, 0);
  EXPECT_NEAR(e.error_siconos, std::sqrt(0.8) / 3, 1e-15);
}

/// A scale that overflows would make any error zero.
TEST(MeasureErrors, AreNotANumberWhereANormOverflows) {
  ContactProblem p = random_problem({.seed = 2});
  const std::vector<Vec3d> v(p.b.size()), lambda(p.contacts.size());
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
  const TrueError true_error(p, std::vector<Vec3d>(p.b.size(), Vec3d{1e200, 0, 0}));
  EXPECT_TRUE(std::isnan(true_error(lambda)));
  const Vec3d phi = p.contacts[0].phi;
  p.contacts[0].phi.x = 1e308;
  ErrorReport e = measure_errors(p, 0, v, lambda, diagonal);
  EXPECT_TRUE(std::isnan(e.natural_map_error));
  EXPECT_TRUE(std::isnan(e.error_siconos));
  p.contacts[0].phi = phi;
  p.b[0].x = 1e308;
  e = measure_errors(p, 0, v, lambda, diagonal);
  EXPECT_TRUE(std::isnan(e.relative_residual));
  EXPECT_TRUE(std::isnan(e.error_siconos));
  EXPECT_TRUE(std::isfinite(e.natural_map_error));
}

TEST(MeasureErrors, VanishAtTheSolution) {
  for (const bool anisotropic : {false, true}) {
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const ContactProblem p = random_problem({.seed = seed, .anisotropic = anisotropic});
      const DenseReference reference = dense_reference(p);
      const ErrorReport e =
          measure_errors(p, 0, reference.v, reference.lambda, delassus_diagonal_estimate(p));
      EXPECT_LT(e.relative_residual, 1e-12);
      EXPECT_LT(e.natural_map_error, 1e-11);
      EXPECT_LT(e.error_siconos, 1e-8);
      EXPECT_LT(e.energy_error_J, 1e-18);
      EXPECT_LT(e.penetration_velocity, 1e-10);
    }
  }
}

TEST(MeasureErrors, ArePositiveElsewhere) {
  const ContactProblem p = random_problem({.seed = 2});
  const DenseReference reference = dense_reference(p);
  const TrueError true_error(p, reference.v);
  for (std::size_t m = 0; m < p.contacts.size(); ++m) {
    std::vector<Vec3d> lambda = reference.lambda;
    lambda[m].x += 100;
    // A consistent velocity: the dynamics hold, the contacts do not.
    const ErrorReport e = measure_errors(p, 0, true_error.consistent_velocity(lambda), lambda,
                                         delassus_diagonal_estimate(p));
    EXPECT_LT(e.relative_residual, 1e-12);
    EXPECT_GT(e.natural_map_error, 1e-3);
    EXPECT_GT(e.error_siconos, 1e-6);
    EXPECT_GT(e.energy_error_J, 1e-6);
    EXPECT_GT(true_error(lambda), 1e-3);
  }
}

TEST(MeasureErrors, TellTheRelaxationFromCoulomb) {
  const ContactProblem p = random_problem({.seed = 4});
  const DenseReference relaxed = dense_reference(p, Projection::proximal);
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
  EXPECT_LT(measure_errors(p, 0, relaxed.v, relaxed.lambda, diagonal, Projection::proximal)
                .natural_map_error,
            1e-11);
  EXPECT_GT(measure_errors(p, 0, relaxed.v, relaxed.lambda, diagonal).natural_map_error, 1e-3);
  EXPECT_EQ(natural_map_error(p, 0, relaxed.v, relaxed.lambda, diagonal),
            measure_errors(p, 0, relaxed.v, relaxed.lambda, diagonal).natural_map_error);
}

TEST(MeasureErrors, OfAnEnvironmentIgnoreTheOthers) {
  const ContactProblem whole = random_problem({.seed = 6, .n_env = 3});
  std::mt19937_64 engine(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random_vectors = [&](int n) {
    std::vector<Vec3d> x(n);
    for (Vec3d& a : x) a = {uniform(engine), uniform(engine), uniform(engine)};
    return x;
  };
  const std::vector<Vec3d> v = random_vectors(whole.n_node()),
                           lambda = random_vectors(whole.n_contact());
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(whole);
  for (int e = 0; e < 3; ++e) {
    const ContactProblem part = whole.environment(e);
    const auto slice = [](const std::vector<Vec3d>& x, int begin, int end) {
      return std::vector<Vec3d>(x.begin() + begin, x.begin() + end);
    };
    const std::vector<Vec3d> part_v =
        slice(v, whole.env_node_begin[e], whole.env_node_begin[e + 1]);
    const int begin = whole.env_contact_begin[e], end = whole.env_contact_begin[e + 1];
    const ErrorReport a = measure_errors(whole, e, v, lambda, diagonal);
    const ErrorReport b =
        measure_errors(part, 0, part_v, slice(lambda, begin, end), slice(diagonal, begin, end));
    EXPECT_EQ(a.relative_residual, b.relative_residual);
    EXPECT_EQ(a.natural_map_error, b.natural_map_error);
    EXPECT_EQ(a.certificate_J, b.certificate_J);
    EXPECT_EQ(a.error_siconos, b.error_siconos);
    EXPECT_EQ(a.energy_error_J, b.energy_error_J);
    EXPECT_EQ(a.energy_error_box_J, b.energy_error_box_J);
  }
}

// By any number of threads, over several chunks of nodes, and where there is no mass.
TEST(SolutionErrors, HaveTheBitsOfAllMeasures) {
  std::mt19937_64 engine(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto random_vectors = [&](int n) {
    std::vector<Vec3d> x(n);
    for (Vec3d& a : x) a = {uniform(engine), uniform(engine), uniform(engine)};
    return x;
  };
  for (const int n_node : {12, 700})
    for (const bool with_mass : {true, false}) {
      ContactProblem p = random_problem({.seed = 7,
                                         .n_env = 2,
                                         .n_node = n_node,
                                         .n_world_contact = 9,
                                         .n_triangle_contact = 3,
                                         .anisotropic = true});
      if (!with_mass) p.mass.clear();
      const std::vector<Vec3d> v = random_vectors(p.n_node()),
                               lambda = random_vectors(p.n_contact()),
                               diagonal = delassus_diagonal_estimate(p);
      for (int e = 0; e < 2; ++e)
        for (const int n_thread : {1, 3}) {
          const ErrorReport all =
              measure_errors(p, e, v, lambda, diagonal, Projection::proximal, 1e-3, 1);
          const SolutionErrors own =
              solution_errors(p, e, v, lambda, diagonal, Projection::proximal, 1e-3, n_thread);
          EXPECT_GT(own.relative_residual, 0);
          EXPECT_GT(own.natural_map_error, 0);
          EXPECT_EQ(own.relative_residual, all.relative_residual);
          EXPECT_EQ(own.natural_map_error, all.natural_map_error);
          EXPECT_EQ(std::isnan(own.certificate_J), !with_mass);
          if (with_mass) {
            EXPECT_EQ(own.certificate_J, all.certificate_J);
          }
        }
    }
}

TEST(DelassusDiagonal, OfAnEnvironmentIsThatOfTheEnvironmentAlone) {
  const ContactProblem whole = random_problem({.seed = 9, .n_env = 3});
  const std::vector<Vec3d> estimate = delassus_diagonal_estimate(whole),
                           exact = delassus_diagonal_exact(whole);
  const Vec3d untouched{-1, -2, -3};
  for (int e = 0; e < 3; ++e) {
    const ContactProblem part = whole.environment(e);
    const std::vector<Vec3d> part_estimate = delassus_diagonal_estimate(part),
                             part_exact = delassus_diagonal_exact(part);
    std::vector<Vec3d> filled(whole.contacts.size(), untouched);
    delassus_diagonal_exact(whole, e, &filled);
    for (int m = 0; m < whole.n_contact(); ++m) {
      const int own = m - whole.env_contact_begin[e];
      if (own < 0 || own >= part.n_contact()) {
        EXPECT_EQ(norm(filled[m] - untouched), 0);
        continue;
      }
      EXPECT_EQ(norm(estimate[m] - part_estimate[own]), 0);
      EXPECT_EQ(norm(exact[m] - part_exact[own]), 0);
      EXPECT_EQ(norm(filled[m] - part_exact[own]), 0);
    }
  }
}

/// Poison elsewhere changes nothing.
TEST(MeasureErrors, OfAnEnvironmentReadNothingOfTheOthers) {
  ContactProblem p = random_problem({.seed = 10, .n_env = 3});
  std::vector<Vec3d> v(p.b.size(), Vec3d{0.1, -0.2, 0.3}),
      lambda(p.contacts.size(), Vec3d{3, 1, -2});
  std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
  const ErrorReport before = measure_errors(p, 1, v, lambda, diagonal);
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (const int e : {0, 2}) {
    for (int i = p.env_node_begin[e]; i < p.env_node_begin[e + 1]; ++i) {
      p.b[i] = v[i] = {kNaN, kNaN, kNaN};
      p.mass[i] = kNaN;
      p.A.set_block(p.A.pattern->diagonal[i], kNaN * Mat3d::identity());
    }
    for (int m = p.env_contact_begin[e]; m < p.env_contact_begin[e + 1]; ++m)
      lambda[m] = diagonal[m] = p.contacts[m].phi = {kNaN, kNaN, kNaN};
  }
  const ErrorReport after = measure_errors(p, 1, v, lambda, diagonal);
  EXPECT_EQ(after.relative_residual, before.relative_residual);
  EXPECT_EQ(after.natural_map_error, before.natural_map_error);
  EXPECT_EQ(after.certificate_J, before.certificate_J);
  EXPECT_EQ(after.error_siconos, before.error_siconos);
  EXPECT_EQ(after.energy_error_J, before.energy_error_J);
  EXPECT_EQ(after.penetration_velocity, before.penetration_velocity);
}

// Invariances, on answers that are far from the solution.
class Invariance : public testing::Test {
 protected:
  Invariance() {
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (Vec3d& a : v) a = {uniform(engine), uniform(engine), uniform(engine)};
    for (Vec3d& a : lambda)
      a = 100.0 * Vec3d{uniform(engine) + 0.5, uniform(engine), uniform(engine)};
  }
  ErrorReport measure(const ContactProblem& q, const std::vector<Vec3d>& velocity,
                      const std::vector<Vec3d>& force) {
    return measure_errors(q, 0, velocity, force, delassus_diagonal_estimate(q));
  }

  std::mt19937_64 engine{7};
  ContactProblem p = random_problem({.seed = 8});
  std::vector<Vec3d> v = std::vector<Vec3d>(p.b.size()),
                     lambda = std::vector<Vec3d>(p.contacts.size());
};

TEST_F(Invariance, ScaledMassesAndForces) {
  const ErrorReport before = measure(p, v, lambda);
  const double s = 3;
  ContactProblem q = p;
  for (double& a : q.A.value) a *= s;
  for (double& m : q.mass) m *= s;
  for (Vec3d& b : q.b) b = s * b;
  std::vector<Vec3d> force = lambda;
  for (Vec3d& f : force) f = s * f;
  const ErrorReport after = measure(q, v, force);
  EXPECT_NEAR(after.relative_residual, before.relative_residual, 1e-12 * before.relative_residual);
  EXPECT_NEAR(after.natural_map_error, before.natural_map_error, 1e-12);
  EXPECT_NEAR(after.certificate_J, s * before.certificate_J, 1e-12 * s * before.certificate_J);
  EXPECT_NEAR(after.energy_error_J, s * before.energy_error_J, 1e-12 * s * before.energy_error_J);
}

TEST_F(Invariance, RotatedWorld) {
  const ErrorReport before = measure(p, v, lambda);
  // Contact frames turn with the world: R Q^T.
  const Mat3d Q = frame_from_normal((1 / std::sqrt(14.0)) * Vec3d{1, 2, 3});
  ContactProblem q = p;
  for (int k = 0; k < p.A.pattern->n_block(); ++k)
    q.A.set_block(k, Q * (p.A.block(k) * transpose(Q)));
  for (Vec3d& b : q.b) b = Q * b;
  for (Contact<double>& c : q.contacts) c.R = c.R * transpose(Q);
  std::vector<Vec3d> velocity = v;
  for (Vec3d& a : velocity) a = Q * a;
  const ErrorReport after = measure(q, velocity, lambda);
  EXPECT_NEAR(after.relative_residual, before.relative_residual, 1e-12 * before.relative_residual);
  EXPECT_NEAR(after.natural_map_error, before.natural_map_error, 1e-12);
  EXPECT_NEAR(after.certificate_J, before.certificate_J, 1e-12 * before.certificate_J);
  EXPECT_NEAR(after.error_siconos, before.error_siconos, 1e-12 * before.error_siconos);
  EXPECT_NEAR(after.energy_error_J, before.energy_error_J, 1e-12 * before.energy_error_J);
  EXPECT_NEAR(after.energy_error_box_J, before.energy_error_box_J,
              1e-12 * before.energy_error_box_J);
}

TEST_F(Invariance, PermutedContacts) {
  const ErrorReport before = measure(p, v, lambda);
  std::vector<std::size_t> order(p.contacts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), engine);
  ContactProblem q = p;
  std::vector<Vec3d> force(lambda.size());
  for (std::size_t m = 0; m < order.size(); ++m) {
    q.contacts[m] = p.contacts[order[m]];
    force[m] = lambda[order[m]];
  }
  const ErrorReport after = measure(q, v, force);
  EXPECT_NEAR(after.relative_residual, before.relative_residual, 1e-12 * before.relative_residual);
  EXPECT_EQ(after.natural_map_error, before.natural_map_error);
  EXPECT_NEAR(after.error_siconos, before.error_siconos, 1e-12 * before.error_siconos);
  EXPECT_NEAR(after.energy_error_J, before.energy_error_J, 1e-12 * before.energy_error_J);
}

TEST_F(Invariance, SwappedNodesOfAContact) {
  // side_i <-> side_j turns the frame round; a left-handed pair of tangents keeps (n, t1, t2) in
  // lambda.
  const ErrorReport before = measure(p, v, lambda);
  ContactProblem q = p;
  for (Contact<double>& c : q.contacts) {
    if (c.side_j == kWorld) continue;
    std::swap(c.side_i, c.side_j);
    c.R = -1.0 * c.R;
  }
  const ErrorReport after = measure(q, v, lambda);
  EXPECT_NEAR(after.relative_residual, before.relative_residual, 1e-12 * before.relative_residual);
  EXPECT_NEAR(after.natural_map_error, before.natural_map_error, 1e-12);
}

TEST_F(Invariance, AddedContactWithoutForce) {
  // A frictionless contact that opens and carries nothing adds no error (its velocity is below the
  // others' largest).
  const ErrorReport before = measure(p, v, lambda);
  ContactProblem q = p;
  Contact<double> open;
  open.side_i = 0;
  open.R = frame_from_normal(Vec3d{0, 0, 1});
  open.phi = {1e-3 - v[0].z, 0, 0};
  q.contacts.push_back(open);
  q.env_contact_begin.back() += 1;
  std::vector<Vec3d> force = lambda;
  force.push_back({});
  const ErrorReport after = measure(q, v, force);
  EXPECT_EQ(after.relative_residual, before.relative_residual);
  EXPECT_EQ(after.natural_map_error, before.natural_map_error);
  EXPECT_EQ(after.energy_error_J, before.energy_error_J);
}

// Section 6 of the mathematics: (t/2) |v - v_exact|_A^2 <= (theta t^2/2) r^T M^-1 r where v meets
// its contact conditions exactly.
TEST(Certificate, BoundsTheTrueErrorEnergy) {
  std::mt19937_64 engine(9);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (unsigned seed = 1; seed <= 8; ++seed) {
    for (const double theta : {0.5, 1.0}) {
      const ContactProblem p =
          random_problem({.seed = seed, .distinct_nodes = true, .theta = theta});
      const DenseReference exact = dense_reference(p, Projection::proximal);
      for (int k = 0; k < 5; ++k) {
        // The exact solution to a perturbed load is a solution that meets its contact conditions
        // and misses the dynamics.
        ContactProblem q = p;
        for (Vec3d& b : q.b)
          b += std::pow(10.0, 1 - k) * Vec3d{uniform(engine), uniform(engine), uniform(engine)};
        const DenseReference solution = dense_reference(q, Projection::proximal);
        std::vector<Vec3d> e = solution.v;
        for (std::size_t i = 0; i < e.size(); ++i) e[i] -= exact.v[i];
        const std::vector<Vec3d> Ae = p.A.multiply(e);
        double energy = 0;
        for (std::size_t i = 0; i < e.size(); ++i) energy += p.step_s / 2 * dot(e[i], Ae[i]);
        const double bound =
            measure_errors(p, 0, solution.v, solution.lambda, delassus_diagonal_estimate(p))
                .certificate_J;
        EXPECT_LE(energy, bound * (1 + 1e-6));
        EXPECT_GT(energy, 0);
      }
    }
  }
}

TEST(Certificate, NeedsAMass) {
  ContactProblem p = random_problem({});
  p.mass.clear();
  const std::vector<Vec3d> v(p.b.size()), lambda(p.contacts.size());
  const ErrorReport e = measure_errors(p, 0, v, lambda, delassus_diagonal_estimate(p));
  EXPECT_TRUE(std::isnan(e.certificate_J));
  EXPECT_DOUBLE_EQ(e.relative_residual, 1);  // r = -b
}

TEST(MeasureErrors, PassNotANumberOn) {
  const ContactProblem p = random_problem({});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  std::vector<Vec3d> v(p.b.size()), lambda(p.contacts.size());
  const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
  lambda[2].y = nan;
  const ErrorReport e = measure_errors(p, 0, v, lambda, diagonal);
  EXPECT_TRUE(std::isnan(e.relative_residual));
  EXPECT_TRUE(std::isnan(e.natural_map_error));
  EXPECT_TRUE(std::isnan(e.energy_error_J));
}

TEST(MeasureErrors, WithoutContactsOrLoad) {
  ContactProblem p = random_problem({.n_world_contact = 0, .n_pair_contact = 0});
  for (Vec3d& b : p.b) b = {};
  const std::vector<Vec3d> v(p.b.size());
  const ErrorReport e = measure_errors(p, 0, v, {}, {});
  EXPECT_EQ(e.relative_residual, 0);
  EXPECT_EQ(e.natural_map_error, 0);
  EXPECT_EQ(e.error_siconos, 0);
}

TEST(DelassusDiagonal, ExactEqualsDense) {
  const ContactProblem p = random_problem({.seed = 11, .n_world_contact = 6, .n_pair_contact = 6});
  const Eigen::MatrixXd J = dense_reference_detail::dense_jacobian(p);
  const Eigen::MatrixXd D =
      J * test::solve_symmetric(dense_reference_detail::dense_matrix(p), J.transpose());
  const std::vector<Vec3d> diagonal = delassus_diagonal_exact(p);
  for (int m = 0; m < p.n_contact(); ++m)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(diagonal[m][axis], D(3 * m + axis, 3 * m + axis),
                  1e-12 * D(3 * m + axis, 3 * m + axis));
}

TEST(DelassusDiagonal, EstimateIsExactWithoutCouplings) {
  ContactProblem p = random_problem({.seed = 12, .n_pair_contact = 5});
  for (int i = 0; i < p.n_node(); ++i)
    for (int k = p.A.pattern->row_begin[i]; k < p.A.pattern->row_begin[i + 1]; ++k)
      if (p.A.pattern->column[k] != i) p.A.set_block(k, {});
  EXPECT_LT(max_difference(delassus_diagonal_estimate(p), delassus_diagonal_exact(p)), 1e-15);
}

/// A random problem whose only contact is one of a point between nodes with the world.
ContactProblem with_a_point(unsigned seed, const std::vector<std::int32_t>& row,
                            const std::vector<double>& weight) {
  ContactProblem p = random_problem({.seed = seed});
  p.contacts.resize(1);
  p.env_contact_begin = {0, 1};
  p.env_point_begin = {0, 1};
  for (std::size_t k = 0; k < row.size(); ++k) p.points.add(row[k], weight[k] * Mat3d::identity());
  p.contacts[0].side_i = p.n_node() + p.points.finish();
  p.contacts[0].side_j = kWorld;
  return p;
}

TEST(DelassusDiagonal, OfAPointBetweenNodesIsThatOfTheirBlock) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const std::int32_t first = static_cast<std::int32_t>(seed % 5);
    for (const auto& [row, weight] :
         {std::pair{std::vector{first}, std::vector{0.6}},
          std::pair{std::vector{first, first + 1}, std::vector{0.3, 0.7}},
          std::pair{std::vector{first, first + 1, first + 3}, std::vector{0.2, 0.0, 0.8}},
          std::pair{std::vector{first, first + 2, first + 3}, std::vector{0.5, 0.25, 0.25}}}) {
      const ContactProblem p = with_a_point(seed, row, weight);
      const auto n = static_cast<Eigen::Index>(row.size());
      Eigen::MatrixXd block(3 * n, 3 * n), J(3, 3 * n), R(3, 3);
      const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p);
      for (Eigen::Index a = 0; a < n; ++a) {
        J.middleCols(3 * a, 3) = weight[a] * Eigen::Matrix3d::Identity();
        for (Eigen::Index b = 0; b < n; ++b)
          block.block(3 * a, 3 * b, 3, 3) = A.block(3 * row[a], 3 * row[b], 3, 3);
      }
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) R(i, j) = p.contacts[0].R(i, j);
      const Eigen::MatrixXd compliance =
          R * J * test::solve_symmetric(block, J.transpose()) * R.transpose();
      const std::vector<Vec3d> diagonal = delassus_diagonal_estimate(p);
      for (int axis = 0; axis < 3; ++axis)
        EXPECT_NEAR(diagonal[0][axis], compliance(axis, axis), 1e-13 * compliance.trace());
    }
  }
}

TEST(TrueError, IsTheEnergyDistance) {
  const ContactProblem p = random_problem({.seed = 13});
  const DenseReference reference = dense_reference(p);
  const TrueError true_error(p, reference.v);
  EXPECT_LT(true_error(reference.lambda), 1e-12);
  EXPECT_LT(max_difference(true_error.consistent_velocity(reference.lambda), reference.v), 1e-12);
  const std::vector<Vec3d> none(p.contacts.size());
  EXPECT_NEAR(true_error(none),
              relative_energy_distance(p, true_error.consistent_velocity(none), reference.v),
              1e-12);
}

TEST(TrueError, RefusesAnIndefiniteMatrix) {
  ContactProblem p = random_problem({});
  for (double& a : p.A.value) a = -a;
  EXPECT_THROW(TrueError(p, p.b), RuntimeError);
  EXPECT_THROW(delassus_diagonal_exact(p), RuntimeError);
}

TEST(ContactStates, OpenStickSlip) {
  ContactProblem p = random_problem({.n_world_contact = 5, .n_pair_contact = 0});
  for (Contact<double>& c : p.contacts) c.mu1 = c.mu2 = 0.5;
  p.contacts[3].mu2 = 0.2;
  p.contacts[4].mu1 = p.contacts[4].mu2 = 0;
  const std::vector<Vec3d> lambda{
      {0, 0, 0}, {2, 0.3, 0.4}, {2, 0.6, 0.8}, {1, 0.3, 0.16}, {1, 0, 0}};
  const std::vector<ContactState> expected{ContactState::open, ContactState::stick,
                                           ContactState::slip, ContactState::slip,
                                           ContactState::slip};
  EXPECT_EQ(contact_states(p, lambda), expected);
}

}  // namespace
}  // namespace nodia
