#include "host/solvers/delassus/operator.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "kernels/core/error.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/dense_reference.hpp"
#include "tests/support/random_problem.hpp"

namespace nodia {
namespace {

std::vector<Factoriser> available_factorisers() {
  std::vector<Factoriser> all = {Factoriser::simplicial, Factoriser::cholmod};
  std::erase_if(all, [](Factoriser f) { return !is_available(f); });
  return all;
}

std::vector<RandomProblemOptions> problem_sizes() {
  return {{.seed = 1},
          {.seed = 2, .n_node = 1, .n_world_contact = 1, .n_pair_contact = 0},
          {.seed = 3, .n_node = 40, .n_world_contact = 20, .n_pair_contact = 15},
          {.seed = 4, .n_node = 150, .n_world_contact = 5, .n_pair_contact = 1},
          {.seed = 5, .n_node = 30, .n_world_contact = 0, .n_pair_contact = 0}};
}

TEST(DelassusOperator, EqualsTheDenseOne) {
  for (const RandomProblemOptions& options : problem_sizes()) {
    const ContactProblem p = random_problem(options);
    const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p),
                          J = dense_reference_detail::dense_jacobian(p);
    const Eigen::MatrixXd D = J * test::solve_symmetric(A, J.transpose());
    for (const Factoriser factoriser : available_factorisers()) {
      for (const bool sparse : {false, true}) {
        const DelassusOperator op(p, {factoriser, sparse});
        ASSERT_EQ(op.matrix().rows(), 3 * p.n_contact());
        if (p.n_contact() == 0) continue;
        EXPECT_LT((op.matrix() - D).norm(), 1e-12 * D.norm()) << name_of(factoriser) << sparse;
        EXPECT_EQ((op.matrix() - op.matrix().transpose()).norm(), 0);
      }
    }
  }
}

TEST(DelassusOperator, MapsForcesToVelocities) {
  const ContactProblem p =
      random_problem({.seed = 6, .n_node = 20, .n_world_contact = 6, .n_pair_contact = 6});
  const Eigen::MatrixXd A = dense_reference_detail::dense_matrix(p),
                        J = dense_reference_detail::dense_jacobian(p);
  const test::DenseFactor factor(A);
  Eigen::VectorXd b(3 * p.n_node()), lambda(3 * p.n_contact()), phi(3 * p.n_contact());
  for (int i = 0; i < p.n_node(); ++i) b.segment<3>(3 * i) << p.b[i].x, p.b[i].y, p.b[i].z;
  for (int m = 0; m < p.n_contact(); ++m) {
    phi.segment<3>(3 * m) << p.contacts[m].phi.x, p.contacts[m].phi.y, p.contacts[m].phi.z;
    lambda.segment<3>(3 * m) << 10 + m, m, -m;
  }
  const Eigen::VectorXd v = factor.solve(b + J.transpose() * lambda);
  for (const Factoriser factoriser : available_factorisers()) {
    for (const bool sparse : {false, true}) {
      const DelassusOperator op(p, {factoriser, sparse});
      EXPECT_LT((op.bias() - (J * factor.solve(b) + phi)).norm(), 1e-12);
      EXPECT_LT((op.matrix() * lambda + op.bias() - (J * v + phi)).norm(), 1e-11);
      const std::vector<Vec3d> found = op.velocity(lambda);
      for (int i = 0; i < p.n_node(); ++i)
        EXPECT_LT(norm(found[i] - Vec3d{v[3 * i], v[3 * i + 1], v[3 * i + 2]}), 1e-12);
      const double step = factor.solve(J.transpose() * lambda).norm();
      EXPECT_NEAR(op.velocity_step(lambda), step, 1e-12 * step);
      // What spares the solver the exact step: |D dlambda| <= |Jc| |A^-1 Jc^T dlambda|.
      EXPECT_LE((op.matrix() * lambda).norm(), op.jacobian_bound() * step * (1 + 1e-12));
      EXPECT_GE(op.jacobian_bound() * (1 + 1e-12),
                std::sqrt(test::eigenvalues(J * J.transpose()).maxCoeff()));
    }
  }
}

TEST(DelassusOperator, RefusesWhatItCannotUse) {
  EXPECT_THROW(DelassusOperator(random_problem({.n_env = 2}), {}), InputError);
  ContactProblem p = random_problem({});
  for (double& a : p.A.value) a = -a;
  for (const Factoriser factoriser : available_factorisers())
    EXPECT_THROW(DelassusOperator(p, {factoriser, true}), RuntimeError);
  ContactProblem huge = random_problem({});
  huge.contacts.resize(200000, huge.contacts[0]);
  EXPECT_THROW(DelassusOperator(huge, {}), RuntimeError);
}

}  // namespace
}  // namespace nodia
