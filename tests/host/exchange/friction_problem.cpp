// The error of Siconos and the rules of a problem from outside.
#include "host/exchange/friction_problem.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/core/error.hpp"
#include "tests/support/random_friction.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;

FrictionProblem identity_problem(int dimension, double mu) {
  FrictionProblem p;
  p.kind = FrictionKind::local;
  p.dimension = dimension;
  p.M.resize(dimension, dimension);
  p.M.setIdentity();
  p.q = Eigen::VectorXd::Zero(dimension);
  p.mu = {mu};
  return p;
}

TEST(ErrorSiconos, VanishesAtASlidingAnswerAndOnlyThere) {
  FrictionProblem p = identity_problem(3, 0.5);
  p.q << -2, 3, 0;  // r_n = 2, r_t = -1 along the slip, u_t = 2
  Eigen::VectorXd r(3);
  r << 2, -1, 0;
  EXPECT_LT(error_siconos(p, {}, r), 1e-16);
  r << 2, 1, 0;  // friction along the slip
  EXPECT_GT(error_siconos(p, {}, r), 0.1);
  r << 2, -1.1, 0;  // outside of the cone
  EXPECT_GT(error_siconos(p, {}, r), 1e-3);
  r << 1.9, -0.95, 0;  // too weak: penetrates
  EXPECT_GT(error_siconos(p, {}, r), 1e-2);
}

TEST(ErrorSiconos, OfAPlaneIsThatOfSpaceWithoutTheSecondTangent) {
  FrictionProblem plane = identity_problem(2, 0.4), space = identity_problem(3, 0.4);
  plane.q << -1, 0.7;
  space.q << -1, 0.7, 0;
  Eigen::VectorXd r2(2), r3(3);
  r2 << 0.8, -0.2;
  r3 << 0.8, -0.2, 0;
  EXPECT_EQ(error_siconos(plane, {}, r2), error_siconos(space, {}, r3));
}

TEST(ErrorSiconos, ByHandForAnOpenContactPressed) {
  // r = 0, u = q = (-1, 0, 0): r - P(r - u~) = -(1, 0, 0); scale max(|q|, |r|, |u|) = 1.
  FrictionProblem p = identity_problem(3, 0.3);
  p.q << -1, 0, 0;
  EXPECT_NEAR(error_siconos(p, {}, Eigen::VectorXd::Zero(3)), 1, 1e-15);
}

/// A divisor that overflows would make any error zero.
TEST(ErrorSiconos, IsNotANumberWhereANormOverflows) {
  for (const double huge : {1e200, 1e308, -1e308}) {
    FrictionProblem local = identity_problem(3, 0.3);
    local.q << -1, huge, 0;
    EXPECT_TRUE(std::isnan(error_siconos(local, {}, Eigen::VectorXd::Zero(3)))) << huge;
    FrictionProblem global = random_friction({.n_body = 3, .n_contact = 4});
    const Eigen::VectorXd v = Eigen::VectorXd::Zero(global.n_dof());
    const Eigen::VectorXd r = Eigen::VectorXd::Zero(global.b.size());
    for (Eigen::VectorXd* vector : {&global.q, &global.b}) {
      const Eigen::VectorXd before = *vector;
      (*vector)[1] = huge;
      EXPECT_TRUE(std::isnan(error_siconos(global, v, r))) << huge;
      *vector = before;
    }
    EXPECT_TRUE(std::isfinite(error_siconos(global, v, r)));
  }
}

TEST(ErrorSiconos, GlobalAddsTheDynamics) {
  FrictionProblem p;
  p.M.resize(3, 3);
  p.M.setIdentity();
  p.H = p.M;
  p.q = Eigen::Vector3d(4, 0, 0);
  p.b = Eigen::VectorXd::Zero(3);
  p.mu = {0.3};
  Eigen::VectorXd v(3), r = Eigen::VectorXd::Zero(3);
  v << 4, 0, 0;  // leaves the contact
  EXPECT_EQ(error_siconos(p, v, r), 0);
  v << 5, 0, 0;
  EXPECT_NEAR(error_siconos(p, v, r), 0.2, 1e-15);  // |4 - 5| / max(4, 5)
}

std::string refusal(FrictionProblem p) {
  try {
    p.validate("f");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FrictionProblem, EveryRuleIsHeld) {
  const FrictionProblem good = random_friction({.n_body = 3, .n_contact = 4});
  EXPECT_EQ(refusal(good), "accepted");
  FrictionProblem p = good;
  p.mu[2] = -0.1;
  EXPECT_THAT(refusal(p), HasSubstr("f: mu[2] = -0.1 (must be finite and >= 0"));
  p = good;
  p.mu[2] = NAN;
  EXPECT_THAT(refusal(p), HasSubstr("mu[2]"));
  p = good;
  p.q[1] = HUGE_VAL;
  EXPECT_THAT(refusal(p), HasSubstr("q[1]"));
  p = good;
  p.b.resize(2);
  EXPECT_THAT(refusal(p), HasSubstr("b, values"));
  p = good;
  p.q.resize(2);
  EXPECT_THAT(refusal(p), HasSubstr("q, values"));
  p = good;
  p.dimension = 4;
  EXPECT_THAT(refusal(p), HasSubstr("dimension"));
  p = good;
  p.H.valuePtr()[3] = NAN;
  EXPECT_THAT(refusal(p), HasSubstr("H[3]"));
  p = good;
  p.M.coeffRef(0, 1) += 1e-3 * p.M.coeffs().abs().maxCoeff();
  EXPECT_THAT(refusal(p), HasSubstr("asymmetry of M"));
  p = good;
  p.M.coeffRef(0, p.M.cols() - 1) = NAN;  // in a matrix that is not compressed
  EXPECT_THAT(refusal(p), HasSubstr("M["));
}

TEST(FrictionProblem, ASmallAsymmetryIsNoted) {
  FrictionProblem p = random_friction({.n_body = 3, .n_contact = 4});
  p.M.coeffRef(0, 1) += 1e-8 * p.M.coeffs().abs().maxCoeff();
  EXPECT_EQ(refusal(p), "accepted");
  p.validate("f");
  ASSERT_EQ(p.notes.size(), 1u);
  EXPECT_THAT(p.notes[0], HasSubstr("not symmetric"));
}

}  // namespace
}  // namespace nodia
