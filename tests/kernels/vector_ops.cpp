#include "kernels/linalg/vector_ops.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nodia {
namespace {

template <class Real>
class VectorOps : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(VectorOps, Reals);

// Small integers: every result below is exact in both precisions.

template <class Real>
void expect_equal(Vec3<Real> a, Vec3<Real> b) {
  for (int r = 0; r < 3; ++r) EXPECT_EQ(a[r], b[r]);
}

TYPED_TEST(VectorOps, AxpyAddsAMultiple) {
  using V = Vec3<TypeParam>;
  const std::vector<V> x = {{1, 2, 3}, {-4, 5, 0}};
  std::vector<V> y = {{10, 20, 30}, {7, 7, 7}};
  const Axpy<TypeParam> axpy{TypeParam(-2), x.data(), y.data()};
  axpy(1);
  expect_equal(y[0], V{10, 20, 30});
  expect_equal(y[1], V{15, -3, 7});
}

TYPED_TEST(VectorOps, ScaledDifferenceOverwrites) {
  using V = Vec3<TypeParam>;
  const std::vector<V> a = {{1, 2, 3}, {4, 5, 6}}, b = {{0, 0, 0}, {1, 7, 6}};
  std::vector<V> y = {{9, 9, 9}, {9, 9, 9}};
  const ScaledDifference<TypeParam> difference{TypeParam(3), a.data(), b.data(), y.data()};
  difference(1);
  expect_equal(y[0], V{9, 9, 9});
  expect_equal(y[1], V{9, -6, 0});
}

TYPED_TEST(VectorOps, NormTerms) {
  using V = Vec3<TypeParam>;
  const std::vector<V> a = {{0, 0, 0}, {1, -2, 3}}, b = {{0, 0, 0}, {4, 2, 3}};
  const std::vector<double> w = {5, 0.5};
  const WeightedSquaredNorm<TypeParam> norm{w.data(), a.data()};
  EXPECT_EQ(norm(0), 0.0);
  EXPECT_EQ(norm(1), 7.0);
  const SquaredDistance<TypeParam> distance{a.data(), b.data()};
  EXPECT_EQ(distance(1), 25.0);
}

TEST(VectorOpsFloat, NormTermsAreFormedInDouble) {
  const Vec3f a{1e30F, 0, 0}, zero{};
  const double w = 1e-40;
  EXPECT_NEAR((WeightedSquaredNorm<float>{&w, &a}(0)), 1e20, 1e14);
  EXPECT_NEAR((SquaredDistance<float>{&a, &zero}(0)), 1e60, 1e54);
}

}  // namespace
}  // namespace nodia
