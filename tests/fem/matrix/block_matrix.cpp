#include "fem/matrix/block_matrix.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>
#include <stdexcept>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using Couplings = std::vector<std::pair<std::int32_t, std::int32_t>>;

Couplings random_couplings(std::mt19937& engine, int n_row, int n) {
  std::uniform_int_distribution<std::int32_t> row(0, n_row - 1);
  Couplings c;
  for (int i = 0; i < n; ++i) c.emplace_back(row(engine), row(engine));
  return c;
}

BlockMatrix random_matrix(std::shared_ptr<const BlockPattern> pattern, unsigned seed) {
  test::FemRandom random(seed);
  BlockMatrix A(std::move(pattern));
  for (int k = 0; k < A.pattern->n_block(); ++k) A.set_block(k, random.matrix());
  return A;
}

Eigen::VectorXd flatten(const std::vector<Vec3d>& v) {
  Eigen::VectorXd e(3 * static_cast<Eigen::Index>(v.size()));
  for (std::size_t i = 0; i < v.size(); ++i)
    for (int c = 0; c < 3; ++c) e[3 * static_cast<Eigen::Index>(i) + c] = v[i][c];
  return e;
}

TEST(BlockPattern, FromRandomCouplings) {
  std::mt19937 engine(1);
  for (const auto& [n_row, n] : {std::pair{1, 0}, {1, 3}, {7, 0}, {5, 60}, {97, 300}}) {
    const Couplings couplings = random_couplings(engine, n_row, n);
    std::set<std::pair<int, int>> expected;
    for (int i = 0; i < n_row; ++i) expected.emplace(i, i);
    for (const auto& [i, j] : couplings) {
      expected.emplace(i, j);
      expected.emplace(j, i);
    }
    const auto pattern = BlockPattern::from_couplings(n_row, couplings);
    ASSERT_EQ(pattern->n_row(), n_row);
    ASSERT_EQ(pattern->n_block(), static_cast<int>(expected.size()));
    // The set is ordered by rows, then columns, as the pattern must be.
    int k = 0;
    for (const auto& [i, j] : expected) {
      EXPECT_GE(k, pattern->row_begin[i]);
      EXPECT_LT(k, pattern->row_begin[i + 1]);
      EXPECT_EQ(pattern->column[k], j);
      EXPECT_EQ(pattern->find(i, j), k);
      if (i == j) {
        EXPECT_EQ(pattern->diagonal[i], k);
      }
      ++k;
    }
    for (int i = 0; i < n_row; ++i)
      for (int j = 0; j < n_row; ++j)
        if (!expected.count({i, j})) {
          EXPECT_EQ(pattern->find(i, j), -1);
        }
  }
}

TEST(BlockPattern, FindOutsideTheMatrix) {
  const auto pattern = BlockPattern::from_couplings(3, {{0, 1}});
  EXPECT_EQ(pattern->find(-1, 0), -1);
  EXPECT_EQ(pattern->find(3, 0), -1);
  EXPECT_EQ(pattern->find(0, -1), -1);
  EXPECT_EQ(pattern->find(0, 3), -1);
}

TEST(BlockPattern, RefusesCouplingsOutsideTheRows) {
  EXPECT_THROW(BlockPattern::from_couplings(3, {{0, 3}}), std::invalid_argument);
  EXPECT_THROW(BlockPattern::from_couplings(3, {{-1, 0}}), std::invalid_argument);
  EXPECT_THROW(BlockPattern::from_couplings(-1, {}), std::invalid_argument);
}

TEST(BlockPattern, Empty) {
  const auto pattern = BlockPattern::from_couplings(0, {});
  EXPECT_EQ(pattern->n_row(), 0);
  EXPECT_EQ(pattern->n_block(), 0);
  EXPECT_EQ(BlockPattern::concatenate({})->n_row(), 0);
}

/// The product with the whole is the products with the parts, one after another.
TEST(BlockPattern, ConcatenateIsBlockDiagonal) {
  std::mt19937 engine(2);
  const std::vector<int> sizes{5, 1, 23};
  std::vector<std::shared_ptr<const BlockPattern>> parts{BlockPattern::from_couplings(0, {})};
  for (const int n : sizes)
    parts.push_back(BlockPattern::from_couplings(n, random_couplings(engine, n, 2 * n)));
  const auto whole = BlockPattern::concatenate(parts);
  BlockMatrix A(whole);
  std::vector<Vec3d> x, expected;
  test::FemRandom random(3);
  std::size_t offset = 0;
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const BlockMatrix part = random_matrix(parts[p], static_cast<unsigned>(p));
    std::copy(part.value.begin(), part.value.end() - kBlockPadding, A.value.begin() + offset);
    offset += part.value.size() - kBlockPadding;
    std::vector<Vec3d> part_x(parts[p]->n_row());
    for (Vec3d& v : part_x) v = random.vector();
    const std::vector<Vec3d> y = part.multiply(part_x);
    x.insert(x.end(), part_x.begin(), part_x.end());
    expected.insert(expected.end(), y.begin(), y.end());
  }
  ASSERT_EQ(offset + kBlockPadding, A.value.size());
  ASSERT_EQ(whole->n_row(), 29);
  for (int i = 0; i < whole->n_row(); ++i) EXPECT_EQ(whole->find(i, i), whole->diagonal[i]);
  EXPECT_EQ(whole->find(4, 5), -1);
  EXPECT_EQ((flatten(A.multiply(x)) - flatten(expected)).norm(), 0);
}

TEST(BlockMatrix, MultiplyAgreesWithDenseAndWithBothEigenForms) {
  std::mt19937 engine(4);
  for (const int n : {1, 2, 40}) {
    const BlockMatrix A =
        random_matrix(BlockPattern::from_couplings(n, random_couplings(engine, n, 3 * n)), 5);
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        if (const int k = A.pattern->find(i, j); k >= 0)
          dense.block<3, 3>(3 * i, 3 * j) = to_eigen(A.block(k));
    EXPECT_EQ((Eigen::MatrixXd(A.to_eigen()) - dense).norm(), 0);
    EXPECT_EQ((Eigen::MatrixXd(A.to_eigen_rows()) - dense).norm(), 0);
    EXPECT_EQ(A.to_eigen_rows().nonZeros(), 9 * A.pattern->n_block());
    test::FemRandom random(6);
    std::vector<Vec3d> x(n);
    for (Vec3d& v : x) v = random.vector();
    const Eigen::VectorXd y = dense * flatten(x);
    EXPECT_LE((flatten(A.multiply(x)) - y).norm(), 1e-14 * y.norm());
  }
}

TEST(BlockMatrix, StartsAtZeroWithPaddingAndView) {
  const auto pattern = BlockPattern::from_couplings(4, {{0, 1}, {1, 3}});
  const BlockMatrix A(pattern);
  EXPECT_EQ(A.value.size(), static_cast<std::size_t>(9 * pattern->n_block() + kBlockPadding));
  for (const double v : A.value) EXPECT_EQ(v, 0);
  const BlockCsrView<double> view = A.view();
  EXPECT_EQ(view.n_row, 4);
  EXPECT_EQ(view.value, A.value.data());
  EXPECT_EQ(view.column, pattern->column.data());
  EXPECT_EQ(view.row_begin, pattern->row_begin.data());
}

TEST(BlockMatrix, EmptyMatrix) {
  const BlockMatrix none;
  EXPECT_EQ(none.n_row(), 0);
  EXPECT_EQ(none.view().n_row, 0);
  EXPECT_EQ(none.to_eigen().rows(), 0);
  EXPECT_TRUE(none.multiply({}).empty());
}

}  // namespace
}  // namespace nodia
