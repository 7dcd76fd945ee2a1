#include "kernels/contact/projections.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "tests/support/projection_oracle.hpp"

namespace nodia {
namespace {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double log_uniform(double low, double high) {
    return std::exp(uniform(std::log(low), std::log(high)));
  }
  Vec3d vector(double size = 1) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  /// Two coefficients: equal in one case out of three.
  void friction(double* mu1, double* mu2) {
    *mu1 = log_uniform(1e-2, 1e1);
    *mu2 = uniform(0, 1) < 1.0 / 3 ? *mu1 : log_uniform(1e-2, 1e1);
  }

 private:
  std::mt19937_64 engine_;
};

/// |(lambda_t1/mu1, lambda_t2/mu2)| - lambda_n: <= 0 in the cone.
double outside_cone(Vec3d lambda, double mu1, double mu2) {
  return std::hypot(lambda.y / mu1, lambda.z / mu2) - lambda.x;
}

void expect_near(Vec3d a, Vec3d b, double bound) {
  EXPECT_NEAR(a.x, b.x, bound);
  EXPECT_NEAR(a.y, b.y, bound);
  EXPECT_NEAR(a.z, b.z, bound);
}

// Prop. 4 of Lee et al.: the one-shot answer meets the Signorini-Coulomb condition of the surrogate
// problem.
TEST(ProjectStrict, SolvesTheOneContactCoulombProblem) {
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const double gamma = random.log_uniform(1e-3, 1e3);
    const Vec3d eta = random.vector(), phi = random.vector();
    const Vec3d lambda = project_strict(-(1 / gamma) * (eta + phi), mu1, mu2);
    const Vec3d u = gamma * lambda + eta + phi;

    // Signorini: 0 <= lambda_n, u_n >= 0, one of them zero.
    EXPECT_GE(lambda.x, 0);
    EXPECT_GE(u.x, -1e-14);
    EXPECT_NEAR(lambda.x * u.x, 0, 1e-14 / gamma);
    // Coulomb: inside the section; where it slips, on its boundary.
    EXPECT_LE(outside_cone(lambda, mu1, mu2), 1e-14 * (1 + lambda.x));
    const double speed = std::hypot(u.y, u.z);
    if (lambda.x > 0 && speed > 1e-12) {
      EXPECT_NEAR(outside_cone(lambda, mu1, mu2), 0, 1e-12 * lambda.x);
    }
    // Maximal dissipation: min over the ellipse of u_t . x is -|(radius_1 u_1, radius_2 u_2)|.
    const double power = u.y * lambda.y + u.z * lambda.z;
    const double least = -lambda.x * std::hypot(mu1 * u.y, mu2 * u.z);
    EXPECT_NEAR(power, least, lambda.x * std::max(mu1, mu2) * (1e-15 + 1e-14 * speed));
  }
}

TEST(ProjectStrict, AgreesWithBisection) {
  Random random(2);
  for (int i = 0; i < 3000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const double gamma = random.log_uniform(1e-3, 1e3);
    const Vec3d w = random.vector();
    const Vec3d expected = oracle::coulomb_force(gamma, w, mu1, mu2);
    expect_near(project_strict(-(1 / gamma) * w, mu1, mu2), expected, 1e-12 / gamma);
  }
}

TEST(ProjectStrict, AnisotropicSlipFollowsTheEllipseNormal) {
  // Outward normal of the ellipse at lambda_t is (lambda_1/mu_1^2, lambda_2/mu_2^2): parallel to
  // the excess of the trial.
  const double mu1 = 0.2, mu2 = 0.4;
  const Vec3d trial{1, 1, 1};
  const Vec3d lambda = project_strict(trial, mu1, mu2);
  const Vec3d excess = trial - lambda;
  EXPECT_NEAR(excess.y * lambda.z / (mu2 * mu2), excess.z * lambda.y / (mu1 * mu1), 1e-14);
}

TEST(ProjectProximal, SatisfiesTheConditionsOfTheEuclideanProjection) {
  // p = P_K(x) if and only if p in K, x - p in the polar cone, and p . (x - p) = 0 (Moreau).
  Random random(3);
  for (int i = 0; i < 20000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3d x = random.vector();
    const Vec3d p = project_proximal(x, mu1, mu2);
    const Vec3d q = x - p;
    EXPECT_LE(outside_cone(p, mu1, mu2), 1e-14);
    EXPECT_LE(q.x + std::hypot(mu1 * q.y, mu2 * q.z), 2e-14);
    EXPECT_NEAR(dot(p, q), 0, 1e-14);
  }
}

TEST(ProjectProximal, AgreesWithConvexSearch) {
  Random random(4);
  for (int i = 0; i < 20; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3d x = random.vector();
    expect_near(project_proximal(x, mu1, mu2), oracle::nearest_in_cone(x, mu1, mu2), 1e-6);
  }
}

TEST(ProjectProximal, IsotropicEqualsItsClosedForm) {
  const double mu = 0.5;
  // Outside cone and polar cone: lambda_n = (n + mu r)/(1 + mu^2).
  const Vec3d p = project_proximal<double>({0, 3, 4}, mu, mu);
  expect_near(p, {2, 0.6, 0.8}, 1e-15);
  // The elliptic branch, with coefficients that differ by rounding only, must agree.
  expect_near(project_proximal<double>({0, 3, 4}, mu, mu * (1 + 1e-15)), p, 1e-14);
}

TEST(ProjectProximal, IsNonexpansive) {
  Random random(5);
  for (int i = 0; i < 5000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3d x = random.vector(), y = x + random.vector(random.log_uniform(1e-6, 1));
    const Vec3d d = project_proximal(x, mu1, mu2) - project_proximal(y, mu1, mu2);
    EXPECT_LE(norm(d), norm(x - y) * (1 + 1e-12) + 1e-15);
  }
}

using ProjectionFunction = Vec3d (*)(Vec3d, double, double);

class BothProjections : public testing::TestWithParam<ProjectionFunction> {};

TEST_P(BothProjections, LeaveWhatIsInsideAlone) {
  Random random(6);
  for (int i = 0; i < 5000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const double n = random.log_uniform(1e-3, 1e3), angle = random.uniform(0, 6.3);
    const double inside = random.uniform(0, 0.999) * n;
    const Vec3d x{n, inside * mu1 * std::cos(angle), inside * mu2 * std::sin(angle)};
    const Vec3d p = GetParam()(x, mu1, mu2);
    EXPECT_EQ(p.x, x.x);
    EXPECT_EQ(p.y, x.y);
    EXPECT_EQ(p.z, x.z);
  }
}

TEST_P(BothProjections, AreIdempotent) {
  Random random(7);
  for (int i = 0; i < 5000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3d p = GetParam()(random.vector(), mu1, mu2);
    expect_near(GetParam()(p, mu1, mu2), p, 1e-14);
  }
}

TEST_P(BothProjections, ScaleWithTheTrial) {
  Random random(8);
  for (int i = 0; i < 2000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3d x = random.vector();
    for (const double s : {1e-200, 1e-20, 1e20, 1e200}) {
      expect_near((1 / s) * GetParam()(s * x, mu1, mu2), GetParam()(x, mu1, mu2), 1e-13);
    }
  }
}

TEST_P(BothProjections, WithoutFrictionKeepTheNormalPart) {
  for (const double n : {-2.0, 0.0, 3.0}) {
    const Vec3d p = GetParam()({n, 4, -5}, 0, 0);
    EXPECT_EQ(p.x, std::max(n, 0.0));
    EXPECT_EQ(p.y, 0);
    EXPECT_EQ(p.z, 0);
  }
}

TEST_P(BothProjections, WithoutFrictionAlongOneAxis) {
  const Vec3d p = GetParam()({3, 4, -5}, 0, 0.5);
  EXPECT_EQ(p.y, 0);
  EXPECT_NEAR(p.z, -0.5 * p.x, 1e-15);
  const Vec3d q = GetParam()({3, 4, -1}, 0.5, 0);
  EXPECT_EQ(q.z, 0);
  EXPECT_NEAR(q.y, 0.5 * q.x, 1e-15);
  // Continuous in the coefficient.
  expect_near(GetParam()({3, 4, -5}, 1e-12, 0.5), p, 1e-11);
}

TEST_P(BothProjections, WithHugeFrictionStick) {
  expect_near(GetParam()({1, 4e5, -3e5}, 1e6, 1e6), {1, 4e5, -3e5}, 0);
  expect_near(GetParam()({1, 4e5, -3e5}, 1e6, 2e6), {1, 4e5, -3e5}, 0);
  const Vec3d p = GetParam()({1e-3, 4e5, -3e5}, 1e6, 2e6);
  EXPECT_LE(outside_cone(p, 1e6, 2e6), 1e-12);
}

TEST_P(BothProjections, OfTheApexAreTheApex) {
  for (const double mu2 : {0.0, 0.3, 0.7}) {
    expect_near(GetParam()({0, 0, 0}, 0.3, mu2), {0, 0, 0}, 0);
    expect_near(GetParam()({-1, 0.1, 0.1}, 0.3, mu2), {0, 0, 0}, 0);
    expect_near(GetParam()({-1, 0, 0}, 0.3, mu2), {0, 0, 0}, 0);
  }
}

TEST_P(BothProjections, OfFarAndFlatTrialsStayInTheCone) {
  Random random(9);
  for (int i = 0; i < 5000; ++i) {
    const double mu1 = random.log_uniform(1e-12, 1e12), mu2 = random.log_uniform(1e-12, 1e12);
    Vec3d x = random.vector();
    x.x *= random.log_uniform(1e-30, 1e30);
    x.y *= random.log_uniform(1e-30, 1e30);
    x.z *= random.log_uniform(1e-30, 1e30);
    const Vec3d p = GetParam()(x, mu1, mu2);
    ASSERT_TRUE(is_finite(p)) << x.x << ' ' << x.y << ' ' << x.z << ' ' << mu1 << ' ' << mu2;
    EXPECT_GE(p.x, 0);
    EXPECT_LE(std::fabs(p.y), mu1 * p.x * (1 + 1e-12));
    EXPECT_LE(std::fabs(p.z), mu2 * p.x * (1 + 1e-12));
  }
}

TEST_P(BothProjections, PassNotANumberOn) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double mu2 : {0.0, 0.5, 0.8}) {
    for (const double mu1 : {0.0, 0.5}) {
      for (int axis = 0; axis < 3; ++axis) {
        for (const double other : {0.0, 1.0}) {
          Vec3d x{1, other, other};
          x[axis] = nan;
          EXPECT_FALSE(is_finite(GetParam()(x, mu1, mu2))) << mu1 << ' ' << mu2 << ' ' << axis;
        }
      }
    }
  }
}

TEST_P(BothProjections, WithInfiniteTrialsEnd) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis) {
    for (const double value : {-infinity, infinity}) {
      for (const double mu2 : {0.0, 0.5, 0.8}) {
        Vec3d x{1, 2, 3};
        x[axis] = value;
        GetParam()(x, 0.5, mu2);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Projection, BothProjections,
                         testing::Values(&project_strict<double>, &project_proximal<double>),
                         [](const testing::TestParamInfo<ProjectionFunction>& param) {
                           return param.index == 0 ? "strict" : "proximal";
                         });

// Single precision follows double precision to its own rounding.
TEST(Projections, InSinglePrecision) {
  Random random(10);
  for (int i = 0; i < 5000; ++i) {
    double mu1, mu2;
    random.friction(&mu1, &mu2);
    const Vec3f x = cast<float>(random.vector());
    const float f1 = static_cast<float>(mu1), f2 = static_cast<float>(mu2);
    const double m1 = f1, m2 = f2;
    expect_near(cast<double>(project_strict(x, f1, f2)), project_strict(cast<double>(x), m1, m2),
                1e-5);
    expect_near(cast<double>(project_proximal(x, f1, f2)),
                project_proximal(cast<double>(x), m1, m2), 1e-5);
  }
}

TEST(Projections, WithoutFrictionAndSlipAPullIsNoForce) {
  for (const double mu : {0.0, 0.5}) {
    EXPECT_EQ(norm(project_proximal(Vec3d{-2, 0, 0}, mu, mu)), 0) << mu;
    EXPECT_EQ(norm(project_strict(Vec3d{-2, 0, 0}, mu, mu)), 0) << mu;
  }
  EXPECT_EQ(project_proximal(Vec3d{2, 0, 0}, 0.0, 0.0).x, 2);
}

}  // namespace
}  // namespace nodia
