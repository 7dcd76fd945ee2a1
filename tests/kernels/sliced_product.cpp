/// The product with a sliced matrix: no race, whatever the order of blocks and lanes.
#include "kernels/linalg/sliced_product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/linalg/sliced_arrays.hpp"
#include "kernels/mimic/launcher.hpp"
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

TYPED_TEST(SlicedProduct, MimickedItHasTheSameBits) {
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
    for (std::uint64_t seed : {1, 2, 3}) EXPECT_EQ(product(MimicLauncher({.seed = seed})), y);
  }
}

}  // namespace
}  // namespace nodia
