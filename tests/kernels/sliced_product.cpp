/// The product with a sliced matrix: no race, whatever the order of blocks and lanes.
#include "kernels/linalg/sliced_product.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

#include "kernels/linalg/sliced_arrays.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/block_rows.hpp"
#include "tests/support/launchers.hpp"

namespace nodia {
namespace {

using test::random_square_rows;
using test::random_vectors;

template <class Real>
class SlicedProduct : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(SlicedProduct, Reals);

/// A vector of a node as kernels/launch/memory.hpp wants it.
template <class Real>
struct alignas(kNodeStride * sizeof(Real)) AlignedNode {
  Real value[kNodeStride] = {};
};

TYPED_TEST(SlicedProduct, UnderTheRaceDetectorItHasTheSameBits) {
  using Real = TypeParam;
  for (int n : {1, 77, 300}) {
    const auto rows = random_square_rows(n, 2);
    const SlicedArrays<Real> A(rows.view());
    std::vector<AlignedNode<Real>> x(A.n_row);
    const std::vector<Vec3<Real>> nodes = random_vectors<Real>(n, 1, 3);
    for (int i = 0; i < n; ++i)
      for (int c = 0; c < 3; ++c) x[i].value[c] = nodes[i][c];
    const auto product = [&](auto&& launcher) {
      std::vector<Real> y(std::size_t{3} * A.n_row, -1);
      SlicedProductView<Real> view;
      view.n_row = A.n_row;
      view.pattern.slice_begin = A.slice_begin.data();
      view.pattern.column = A.column.data();
      view.value = A.value.data();
      view.x = x.front().value;
      view.y = y.data();
      launch_sliced_product(launcher, view);
      return y;
    };
    const std::vector<Real> y = product(test::OneLaneLauncher{});
    EXPECT_EQ(y.back(), 0) << "padding";
    for (std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(product(RaceDetector({.seed = seed})), y);
  }
}

/// One slice of rows with so many blocks each, the first on the diagonal.
template <class Real>
struct Slice {
  std::int32_t begin[2] = {0, 0};
  std::vector<std::int32_t> column;
  std::vector<Real> value;
  std::vector<AlignedNode<Real>> x{40};

  explicit Slice(int n_block) {
    begin[1] = n_block;
    std::mt19937 generator(n_block);
    std::uniform_real_distribution<Real> number(-1, 1);
    for (int k = 0; k < n_block; ++k)
      for (int lane = 0; lane < kSliceRows; ++lane)
        column.push_back(kNodeStride *
                         (k == 0 ? lane : static_cast<std::int32_t>(generator() % x.size())));
    for (int e = 0; e < n_block * kSliceBlock; ++e) value.push_back(number(generator));
    for (auto& node : x)
      for (int c = 0; c < 3; ++c) node.value[c] = number(generator);
  }
  SlicedPatternView pattern() const { return {begin, column.data(), nullptr}; }
};

template <class Real, bool difference, int n>
void expect_groups_to_have_the_bits() {
  for (int n_block = 0; n_block <= 3 * n + 2; ++n_block) {
    const Slice<Real> slice(n_block);
    const DirectMemory memory;
    for (int row = 0; row < kSliceRows; ++row) {
      SlicedRowSum<Real, difference, DirectMemory> sum(slice.pattern(), slice.value.data(),
                                                       slice.x.front().value, row, memory);
      add_in_groups<n>(&sum);
      EXPECT_EQ(sum.left(), 0);
      const Vec3<Real> wanted = sliced_row_product<Real, difference>(
          slice.pattern(), slice.value.data(), slice.x.front().value, row, memory);
      EXPECT_EQ(sum.sum().x, wanted.x) << n_block << " blocks by " << n;
      EXPECT_EQ(sum.sum().y, wanted.y);
      EXPECT_EQ(sum.sum().z, wanted.z);
    }
  }
}

TYPED_TEST(SlicedProduct, BlocksInGroupsAsADeviceAddsThemHaveTheSameBits) {
  expect_groups_to_have_the_bits<TypeParam, false, 1>();
  expect_groups_to_have_the_bits<TypeParam, false, 2>();
  expect_groups_to_have_the_bits<TypeParam, false, 3>();
  expect_groups_to_have_the_bits<TypeParam, false, 4>();
  expect_groups_to_have_the_bits<TypeParam, true, 1>();
  expect_groups_to_have_the_bits<TypeParam, true, 2>();
  expect_groups_to_have_the_bits<TypeParam, true, 3>();
  expect_groups_to_have_the_bits<TypeParam, true, 4>();
}

/// (A x)_i = S_i x_i + sum A_ij (x_j - x_i), by hand.
TYPED_TEST(SlicedProduct, DifferenceFormIsTheSumOverDifferences) {
  using Real = TypeParam;
  const Slice<Real> slice(5);
  for (int row = 0; row < kSliceRows; ++row) {
    double wanted[3] = {};
    for (int k = 0; k < 5; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c) {
          const double own = slice.x[row].value[c];
          const double other = slice.x[slice.column[k * kSliceRows + row] / kNodeStride].value[c];
          wanted[r] += slice.value[k * kSliceBlock + (3 * c + r) * kSliceRows + row] *
                       (k == 0 ? own : other - own);
        }
    const Vec3<Real> product = sliced_row_product<Real, true>(
        slice.pattern(), slice.value.data(), slice.x.front().value, row, DirectMemory{});
    const double tolerance = 100 * std::numeric_limits<Real>::epsilon();
    EXPECT_NEAR(product.x, wanted[0], tolerance);
    EXPECT_NEAR(product.y, wanted[1], tolerance);
    EXPECT_NEAR(product.z, wanted[2], tolerance);
  }
}

}  // namespace
}  // namespace nodia
