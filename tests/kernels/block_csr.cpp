#include "kernels/linalg/block_csr.hpp"

#include <gtest/gtest.h>

#include <Eigen/Sparse>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/block_rows.hpp"

namespace nodia {
namespace {

using test::BlockRows;
using test::random_block_rows;
using test::random_vectors;

struct Shape {
  int n_row, n_column;
};
constexpr std::array kShapes = {Shape{1, 1}, Shape{2, 1}, Shape{1, 43}, Shape{43, 59},
                                Shape{149, 11}};

template <class Real>
class BlockCsr : public testing::Test {};
using Reals = testing::Types<double, float>;
TYPED_TEST_SUITE(BlockCsr, Reals);

template <class Real>
Eigen::SparseMatrix<double, Eigen::RowMajor> to_eigen(const BlockRows<Real>& rows, int n_column) {
  std::vector<Eigen::Triplet<double>> entries;
  const BlockCsrView<Real> A = rows.view();
  for (int i = 0; i < A.n_row; ++i)
    for (int k = A.row_begin[i]; k < A.row_begin[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          entries.emplace_back(3 * i + r, 3 * A.column[k] + c, A.value[9 * k + 3 * c + r]);
  Eigen::SparseMatrix<double, Eigen::RowMajor> matrix(3 * A.n_row, 3 * n_column);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

TYPED_TEST(BlockCsr, StoreAndLoadAreInverse) {
  using Real = TypeParam;
  const Mat3<Real> m{{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}};
  Real value[9];
  store_block(value, m);
  EXPECT_EQ(value[1], Real(4)) << "a block lies by columns";
  const Mat3<Real> back = load_block(value);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(back(i, j), m(i, j));
}

TYPED_TEST(BlockCsr, TwoRowsSideBySideHaveTheBitsOfEach) {
  using Real = TypeParam;
  for (const auto& [n_row, n_column] : kShapes) {
    const auto rows = random_block_rows<Real>(n_row, n_column, 7);
    const auto x = random_vectors<Real>(n_column, 3, 8);
    const auto at = [&](std::int32_t j) -> const Vec3<Real>& { return x[j]; };
    for (int i = 0; i + 1 < n_row; ++i) {
      Vec3<Real> first, second;
      block_row_products_of(rows.view(), i, at, &first, &second);
      const Vec3<Real> alone = block_row_product(rows.view(), i, x.data()),
                       next = block_row_product(rows.view(), i + 1, x.data());
      for (int c = 0; c < 3; ++c) {
        EXPECT_EQ(first[c], alone[c]);
        EXPECT_EQ(second[c], next[c]);
      }
    }
  }
}

TYPED_TEST(BlockCsr, RowProductMatchesEigen) {
  using Real = TypeParam;
  for (const auto& [n_row, n_column] : kShapes) {
    const auto rows = random_block_rows<Real>(n_row, n_column, 5);
    const auto x = random_vectors<Real>(n_column, 3, 6);
    const auto matrix = to_eigen(rows, n_column);
    Eigen::VectorXd x_eigen(3 * n_column);
    for (int i = 0; i < 3 * n_column; ++i) x_eigen[i] = x[i / 3][i % 3];
    const Eigen::VectorXd expected = matrix * x_eigen;
    const Eigen::VectorXd terms = matrix.cwiseAbs() * x_eigen.cwiseAbs();
    for (int i = 0; i < n_row; ++i) {
      const Vec3<Real> y = block_row_product(rows.view(), i, x.data());
      for (int r = 0; r < 3; ++r) {
        // The bound of a sum of 3 n_column products, each rounded once.
        const double bound = 3 * n_column * std::numeric_limits<Real>::epsilon() * terms[3 * i + r];
        EXPECT_NEAR(y[r], expected[3 * i + r], bound);
      }
    }
  }
}

TYPED_TEST(BlockCsr, EmptyRowGivesZero) {
  using Real = TypeParam;
  const auto rows = random_block_rows<Real>(1, 4, 1);  // row 0 is empty
  const auto x = random_vectors<Real>(4, 1, 2);
  const Vec3<Real> y = block_row_product(rows.view(), 0, x.data());
  for (int r = 0; r < 3; ++r) EXPECT_EQ(y[r], Real(0));
}

TYPED_TEST(BlockCsr, LanesAndScalarsGiveTheSameBits) {
  using Real = TypeParam;
  for (const auto& [n_row, n_column] : kShapes) {
    const auto rows = random_block_rows<Real>(n_row, n_column, 7);
    const auto x = random_vectors<Real>(n_column, 1000, 8);
    for (int i = 0; i < n_row; ++i) {
      const Vec3<Real> lanes = block_row_product(rows.view(), i, x.data());
      const Vec3<Real> scalars =
          block_row_product<Real, detail::ScalarRowSum<Real>>(rows.view(), i, x.data());
      for (int r = 0; r < 3; ++r) EXPECT_EQ(lanes[r], scalars[r]) << "row " << i;
    }
  }
}

TYPED_TEST(BlockCsr, BlockProductWritesEveryRow) {
  using Real = TypeParam;
  const auto rows = random_block_rows<Real>(43, 59, 9);
  const auto x = random_vectors<Real>(59, 1, 10);
  std::vector<Vec3<Real>> y(43, {Real(9), Real(9), Real(9)});
  const BlockProduct<Real> product{rows.view(), x.data(), y.data()};
  for (int i = 0; i < 43; ++i) product(i);
  for (int i = 0; i < 43; ++i) {
    const Vec3<Real> expected = block_row_product(rows.view(), i, x.data());
    for (int r = 0; r < 3; ++r) EXPECT_EQ(y[i][r], expected[r]);
  }
}

}  // namespace
}  // namespace nodia
