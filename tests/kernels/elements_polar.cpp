#include "kernels/elements/polar.hpp"

#include <gtest/gtest.h>

#include <cfenv>
#include <limits>
#include <vector>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using test::diagonal;
using test::FemRandom;
using test::frobenius;

/// Singular values with the sign of det F on the last, and R = U diag(1, 1, +-1) V^T.
struct SvdPolar {
  double s[3];
  Mat3d rotation;

  explicit SvdPolar(const Mat3d& F) {
    const Eigen::JacobiSVD<Eigen::Matrix3d> svd(to_eigen(F),
                                                Eigen::ComputeFullU | Eigen::ComputeFullV);
    const double sign = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    const Eigen::Matrix3d R =
        svd.matrixU() * Eigen::Vector3d(1, 1, sign).asDiagonal() * svd.matrixV().transpose();
    for (int i = 0; i < 3; ++i) s[i] = svd.singularValues()[i];
    s[2] *= sign;
    for (int i = 0; i < 3; ++i) rotation.row[i] = {R(i, 0), R(i, 1), R(i, 2)};
  }
};

double dot(const Mat3d& a, const Mat3d& b) {
  return (to_eigen(a).array() * to_eigen(b).array()).sum();
}

void expect_proper(const Mat3d& R) {
  EXPECT_NEAR(determinant(R), 1, 1e-14);
  EXPECT_LE(frobenius(transpose(R) * R - Mat3d::identity()), 1e-14);
}

/// Proper, and tr(R^T F) is the largest there is: holds where R is ambiguous, too.
void expect_nearest(const Mat3d& F) {
  const SvdPolar svd(F);
  const Mat3d R = polar_rotation(F);
  expect_proper(R);
  const double sum = svd.s[0] + svd.s[1] + svd.s[2];
  EXPECT_NEAR(dot(R, F), sum, 1e-14 * svd.s[0]);
  // R is as sensitive as 1/(s2 + s3).
  const double gap = (svd.s[1] + svd.s[2]) / svd.s[0];
  if (gap > 1e-12) {
    EXPECT_LE(frobenius(R - svd.rotation), 2e-14 / gap);
  }
}

Mat3d with_singular_values(FemRandom& random, double a, double b, double c) {
  return random.rotation() * diagonal(a, b, c) * random.rotation();
}

TEST(Polar, RotationIsItsOwnRotation) {
  FemRandom random(1);
  for (int i = 0; i < 1000; ++i) {
    const Mat3d R = random.rotation();
    EXPECT_LE(frobenius(polar_rotation(R) - R), 3e-15);
    EXPECT_LE(frobenius(polar_rotation(7.5 * R) - R), 3e-15);
  }
}

TEST(Polar, AgreesWithSvdToRoundingAtModerateStrain) {
  FemRandom random(2);
  for (int i = 0; i < 3000; ++i) {
    const Mat3d F = with_singular_values(random, random.uniform(0.6, 1.6), random.uniform(0.6, 1.6),
                                         random.uniform(0.6, 1.6));
    EXPECT_LE(frobenius(polar_rotation(F) - SvdPolar(F).rotation), 1e-14);
  }
}

TEST(Polar, RandomMatrices) {
  FemRandom random(3);
  for (int i = 0; i < 5000; ++i) expect_nearest(random.matrix());
}

TEST(Polar, InvertedElementsKeepAProperRotation) {
  FemRandom random(4);
  for (int i = 0; i < 3000; ++i)
    expect_nearest(with_singular_values(random, random.uniform(0.5, 2), random.uniform(0.2, 1.5),
                                        -random.uniform(0, 1.5)));
}

TEST(Polar, FlatLineAndPointElements) {
  FemRandom random(5);
  for (int i = 0; i < 500; ++i) {
    expect_nearest(with_singular_values(random, 1, random.uniform(0.01, 1), 0));
    expect_nearest(with_singular_values(random, random.uniform(0.1, 3), 0, 0));
    expect_nearest(outer(random.vector(), random.vector()));
  }
  EXPECT_EQ(frobenius(polar_rotation(Mat3d{}) - Mat3d::identity()), 0);
}

TEST(Polar, ReflectionsAndPointMirror) {
  for (const double s : {1.0, 1e-3, 40.0}) {
    expect_nearest(diagonal(s, s, -s));
    expect_nearest(diagonal(s, -s, s));
    expect_nearest(diagonal(-s, s, s));
    expect_nearest(diagonal(-s, -s, -s));
    expect_nearest(diagonal(-s, -s, s));
  }
  FemRandom random(6);
  for (int i = 0; i < 500; ++i) expect_nearest(with_singular_values(random, 1, 1, -1));
}

TEST(Polar, NearlyAmbiguousOnBothSidesOfTheSwitchToJacobi) {
  FemRandom random(7);
  for (int i = 0; i < 3000; ++i) {
    const double gap = std::pow(10, random.uniform(-14, 0));
    const double s2 = random.uniform(0.1, 1);
    expect_nearest(with_singular_values(random, 1, s2, -s2 + gap * s2));
    expect_nearest(with_singular_values(random, 1, gap, random.uniform(-gap, gap)));
  }
}

TEST(Polar, TinyAndHugeEntries) {
  FemRandom random(8);
  for (const double scale : {1e-310, 1e-200, 1e-17, 1e-15, 1e-14, 1e14, 1e16, 1e200, 1e300}) {
    for (int i = 0; i < 50; ++i) {
      const Mat3d F = with_singular_values(random, 1.5, 1, 0.7);
      const Mat3d R = polar_rotation(scale * F);
      expect_proper(R);
      EXPECT_LE(frobenius(R - SvdPolar(F).rotation), scale < 1e-307 ? 1e-12 : 1e-14);
    }
  }
}

TEST(Polar, NonFiniteEntriesGiveAFiniteRotation) {
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
        -std::numeric_limits<double>::infinity()}) {
    for (int i = 0; i < 9; ++i) {
      Mat3d F = Mat3d::identity();
      F(i / 3, i % 3) = bad;
      expect_proper(polar_rotation(F));
    }
  }
}

TEST(Polar, TurnsWithItsArgument) {
  FemRandom random(9);
  for (int i = 0; i < 1000; ++i) {
    const Mat3d F = with_singular_values(random, 1.3, 1.1, random.uniform(-0.5, 1));
    const Mat3d Q = random.rotation();
    EXPECT_LE(frobenius(polar_rotation(Q * F) - Q * polar_rotation(F)), 3e-14);
    EXPECT_LE(frobenius(polar_rotation(F * Q) - polar_rotation(F) * Q), 3e-14);
  }
}

TEST(Polar, RaisesNoInvalidOperationOnFiniteInput) {
  FemRandom random(10);
  std::vector<Mat3d> inputs{Mat3d{},           Mat3d::identity(),          diagonal(1, 1, -1),
                            diagonal(1, 0, 0), 1e-200 * Mat3d::identity(), diagonal(-1, -1, -1)};
  for (int i = 0; i < 200; ++i) inputs.push_back(random.matrix());
  for (int i = 0; i < 200; ++i) inputs.push_back(with_singular_values(random, 1, 0.3, -0.29999));
  std::feclearexcept(FE_ALL_EXCEPT);
  Mat3d sum{};
  for (const Mat3d& F : inputs) sum = sum + polar_rotation(F);
  EXPECT_EQ(std::fetestexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW), 0);
  EXPECT_TRUE(std::isfinite(frobenius(sum)));
}

TEST(Polar, FloatHasFloatAccuracy) {
  FemRandom random(11);
  for (int i = 0; i < 1000; ++i) {
    const Mat3d F = with_singular_values(random, random.uniform(0.7, 1.5), random.uniform(0.7, 1.5),
                                         random.uniform(0.7, 1.5));
    const Mat3d R = cast<double>(polar_rotation(cast<float>(F)));
    EXPECT_LE(frobenius(R - SvdPolar(F).rotation), 3e-6);
  }
  EXPECT_NEAR(determinant(polar_rotation(cast<float>(diagonal(1, 1, -1)))), 1, 1e-6);
}

/// Whatever their neighbours need.
template <class Isa>
void expect_lanes_have_the_bits_of_one_lane() {
  using P = Pack<double, Isa>;
  FemRandom random(8);
  for (int i = 0; i < 1000; ++i) {
    Mat3d F[P::kLanes];
    Mat3<P> lanes;
    for (int l = 0; l < P::kLanes; ++l) {
      const double amount = std::pow(10, random.uniform(-8, 1));
      F[l] = random.rotation() * (Mat3d::identity() + random.matrix(amount));
      if (random.uniform(0, 1) < 0.1) F[l] = outer(random.vector(), random.vector());
      if (random.uniform(0, 1) < 0.1) F[l] = Mat3d{};
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) lanes(r, c).set_lane(l, F[l](r, c));
    }
    const Mat3<P> R = polar_rotation(lanes);
    for (int l = 0; l < P::kLanes; ++l) {
      const Mat3d plain = polar_rotation(F[l]);
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) EXPECT_EQ(R(r, c).lane(l), plain(r, c));
    }
  }
}

TEST(Polar, LanesHaveTheBitsOfOneLane) {
  expect_lanes_have_the_bits_of_one_lane<Portable>();
#if defined(__AVX2__)
  expect_lanes_have_the_bits_of_one_lane<Avx2>();
#endif
}

}  // namespace
}  // namespace nodia
