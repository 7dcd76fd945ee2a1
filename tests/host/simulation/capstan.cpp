/// Capstan: a chain of nodes drawn over a cylinder, all of it slipping.
///
/// n nodes at equal angles d = theta/n; the segments between them, and the two ends, are tangents
/// of the arcs between the nodes, so that they meet a node's tangent at d/2 on either side. Force
/// balance of a node that slips: T_(k+1)/T_k = (cos(d/2) + mu sin(d/2))/(cos(d/2) - mu sin(d/2)).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fem/matrix/block_matrix.hpp"
#include "host/solvers/catalogue.hpp"

namespace nodia {
namespace {

struct Capstan {
  double mu, theta;
  int n;
};

Vec3d tangent(double angle) {
  return {-std::sin(angle), std::cos(angle), 0};
}

/// T2/T1 of the steady motion. Segments are dashpots of constant c, the far end is drawn at a
/// constant speed, the near end held back by a force T1 of one newton.
double tension_ratio(const Capstan& c, const char* solver) {
  const double d = c.theta / c.n, inertia = 1, dashpot = 1e6;  // M/t and c [N s/m]
  const double discrete = std::pow(
      (std::cos(d / 2) + c.mu * std::sin(d / 2)) / (std::cos(d / 2) - c.mu * std::sin(d / 2)), c.n);
  const double speed = 2 * c.n * discrete / dashpot;  // more than all segments yield
  ContactProblem p;
  p.step_s = 1;
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;
  for (int k = 0; k + 1 < c.n; ++k) couplings.emplace_back(k, k + 1);
  p.A = BlockMatrix(BlockPattern::from_couplings(c.n, couplings));
  const auto add = [&](int i, int j, const Mat3d& m) {
    const int k = p.A.pattern->find(i, j);
    p.A.set_block(k, p.A.block(k) + m);
  };
  for (int k = 0; k < c.n; ++k) {
    add(k, k, inertia * Mat3d::identity());
    p.mass.push_back(inertia);
    const double angle = (k + 0.5) * d;
    Contact<double> contact;
    contact.side_i = k;
    contact.R = {{{std::cos(angle), std::sin(angle), 0}, tangent(angle), {0, 0, 1}}};
    contact.mu1 = contact.mu2 = c.mu;
    p.contacts.push_back(contact);
  }
  for (int k = 1; k <= c.n; ++k) {  // segment from node k - 1 to node k, the last to the driver
    const Vec3d e = tangent(k * d);
    const Mat3d damping = dashpot * Mat3d{{e.x * e, e.y * e, e.z * e}};
    add(k - 1, k - 1, damping);
    if (k == c.n) break;
    add(k, k, damping);
    add(k - 1, k, -1.0 * damping);
    add(k, k - 1, -1.0 * damping);
  }
  p.b.resize(static_cast<std::size_t>(c.n));
  p.env_node_begin = {0, c.n};
  p.env_contact_begin = {0, c.n};
  p.derive_topology();
  p.validate();

  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-12;
  options.max_iterations = 1000000;
  const auto made = make_solver(options);
  Solution s;
  s.v.assign(static_cast<std::size_t>(c.n), Vec3d{});
  for (int k = 0; k < c.n; ++k) s.v[k] = speed * tangent((k + 0.5) * d);
  const Vec3d last = tangent(c.theta);
  // Inertia dies out from step to step.
  for (double change = 1; change > 1e-11 * speed;) {
    for (int k = 0; k < c.n; ++k) p.b[k] = inertia * s.v[k];
    p.b[0] -= tangent(0);
    p.b[c.n - 1] += dashpot * speed * last;
    const std::vector<Vec3d> before = s.v;
    made->solve(p, {before, s.lambda}, &s);
    EXPECT_EQ(s.env[0].status, SolveStatus::converged)
        << solver << " n " << c.n << ": " << s.env[0].reason << " " << s.env[0].relative_residual;
    if (s.env[0].status != SolveStatus::converged) return 0;
    change = 0;
    for (int k = 0; k < c.n; ++k) change = std::max(change, norm(s.v[k] - before[k]));
  }
  for (int k = 0; k < c.n; ++k)
    EXPECT_GT(dot(s.v[k], tangent((k + 0.5) * d)), 0) << "node " << k << " sticks";
  return dashpot * (speed - dot(s.v[c.n - 1], last));
}

double discrete_ratio(const Capstan& c) {
  const double half = c.theta / c.n / 2;
  return std::pow(
      (std::cos(half) + c.mu * std::sin(half)) / (std::cos(half) - c.mu * std::sin(half)), c.n);
}

TEST(Benchmark06, ChainsOfEveryLengthAndFrictionFollowTheDiscreteFormula) {
  for (const auto& [mu, theta] : {std::pair{0.3, M_PI}, {0.5, 2 * M_PI}, {1.3, M_PI}})
    for (const int n : {8, 32, 128}) {
      const Capstan c{mu, theta, n};
      EXPECT_NEAR(tension_ratio(c, "cond") / discrete_ratio(c), 1, 1e-6)
          << "mu " << mu << " theta " << theta << " n " << n;
    }
}

TEST(Benchmark06, TheFormulaIsTheOnePrintedAndTendsToTheContinuumWithOrderTwo) {
  EXPECT_NEAR(discrete_ratio({0.3, M_PI, 8}), 2.60105, 1e-5);
  EXPECT_NEAR(discrete_ratio({0.3, M_PI, 32}), 2.56845, 1e-5);
  EXPECT_NEAR(discrete_ratio({0.3, M_PI, 128}), 2.56646, 1e-5);
  for (const auto& [mu, theta] : {std::pair{0.3, M_PI}, {0.5, 2 * M_PI}, {1.3, M_PI}}) {
    double before = 0;
    for (const int n : {32, 128}) {
      const double error = tension_ratio({mu, theta, n}, "cond") / std::exp(mu * theta) - 1;
      EXPECT_GT(error, 0);
      if (before > 0) {
        EXPECT_NEAR(before / error, 16, 1) << mu << " " << theta;
      }
      before = error;
    }
  }
}

TEST(Benchmark06, OtherSolversAgree) {
  const Capstan c{0.3, M_PI, 8};
  for (const char* solver : {"pgs", "apgd"})
    EXPECT_NEAR(tension_ratio(c, solver) / discrete_ratio(c), 1, 1e-6) << solver;
}

}  // namespace
}  // namespace nodia
