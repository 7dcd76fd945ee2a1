// Sweeps over the contacts of rigid bodies, the exact solution of one contact, and GMRES.
#include "host/solvers/newton/body_sweeps.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "host/solvers/linear/gmres.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "host/solvers/newton/exact_contact.hpp"
#include "kernels/contact/contact_update.hpp"
#include "kernels/contact/law.hpp"
#include "tests/support/body_pile.hpp"
#include "tests/support/solve_once.hpp"

namespace nodia {
namespace {

TEST(ExactContact, SatisfiesTheStrictLaw) {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const auto vector = [&] { return Vec3d{uniform(engine), uniform(engine), uniform(engine)}; };
  int n_state[3] = {};
  for (int k = 0; k < 2000; ++k) {
    Mat3d B;
    for (Vec3d& row : B.row) row = vector();
    const Mat3d D = transpose(B) * B + 0.05 * Mat3d::identity();
    const Vec3d free = vector();
    const double mu1 = k % 7 == 0 ? 0 : 1.5 + 1.4 * uniform(engine);
    const double mu2 = k % 3 == 0 ? 0.7 * mu1 : mu1;
    const Vec3d lambda = exact_contact(D, free, mu1, mu2, k % 2 == 0 ? vector() : Vec3d{});
    const Vec3d u = free + D * lambda;
    Contact<double> c;
    c.mu1 = mu1;
    c.mu2 = mu2;
    const Vec3d natural = contact_update(law_of(Projection::strict, c), lambda, u, 0.5, 0.0);
    EXPECT_LE(norm(natural - lambda), 1e-5 * (1 + norm(lambda))) << k;
    const double edge = mu1 > 0 ? std::hypot(lambda.y / mu1, lambda.z / mu2) / lambda.x : 0;
    ++n_state[lambda.x == 0 ? 0 : edge < 1 - 1e-9 ? 1 : 2];
  }
  for (const int n : n_state) EXPECT_GT(n, 100);
}

TEST(BodySweeps, ApproachTheSolution) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const ContactProblem p = test::body_pile({.seed = seed, .n_body = 3});
    const RelativeSystem system(p, {}, 1);
    ASSERT_TRUE(BodySweeps::fits(system, Projection::strict));
    EXPECT_FALSE(BodySweeps::fits(system, Projection::proximal));
    BodySweeps sweeps(system, 0);
    std::vector<Vec3d> y, lambda(p.contacts.size());
    sweeps.run(2000, 1e-12, &y, &lambda);
    SolverOptions options;
    options.solver = "newton";
    options.tolerance = 1e-9;
    const Solution exact = test::solve_once(p, options);
    for (std::size_t i = 0; i < y.size(); ++i)
      EXPECT_LE(norm(y[i] - exact.v[i]), 1e-7) << seed << " " << i;
  }
}

TEST(Gmres, EqualsADenseSolution) {
  for (int n = 1; n <= 9; n += 4) {
    std::srand(n);
    const Eigen::MatrixXd N =
        Eigen::MatrixXd::Identity(3 * n, 3 * n) + 0.3 * Eigen::MatrixXd::Random(3 * n, 3 * n);
    const Eigen::VectorXd f = Eigen::VectorXd::Random(3 * n), x = N.partialPivLu().solve(f);
    std::vector<Vec3d> found = split(f);
    const auto apply = [&](const std::vector<Vec3d>& in, std::vector<Vec3d>* out) {
      *out = split(N * stacked(in));
    };
    ASSERT_TRUE(
        gmres(apply, std::vector<double>(static_cast<std::size_t>(n), 2.0), 3 * n, 1e-12, &found));
    EXPECT_LE((stacked(found) - x).norm(), 1e-9 * x.norm());
  }
}

}  // namespace
}  // namespace nodia
