/// Block-sparse matrices on the host: a pattern that is built once, and values that change every
/// step.
#pragma once

#include <Eigen/SparseCore>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// Pattern of 3x3 blocks: symmetric, with ascending columns and all diagonal blocks.
struct BlockPattern {
  std::vector<std::int32_t> row_begin{0};  ///< [n_row + 1]
  std::vector<std::int32_t> column;        ///< [n_block]
  std::vector<std::int32_t> diagonal;      ///< [n_row] indices of the diagonal blocks

  int n_row() const { return static_cast<int>(row_begin.size()) - 1; }
  int n_block() const { return static_cast<int>(column.size()); }
  bool operator==(const BlockPattern&) const = default;
  /// Index of block (row, col); -1 if it is not in the pattern.
  int find(int row, int col) const;

  /// Pattern of undirected couplings (i, j), which may contain duplicates, and the diagonal.
  static std::shared_ptr<const BlockPattern> from_couplings(
      int n_row, const std::vector<std::pair<std::int32_t, std::int32_t>>& couplings);
  /// Block-diagonal pattern of several patterns.
  static std::shared_ptr<const BlockPattern> concatenate(
      const std::vector<std::shared_ptr<const BlockPattern>>& parts);
};

/// Matrix with a shared pattern.
struct BlockMatrix {
  std::shared_ptr<const BlockPattern> pattern;
  std::vector<double> value;  ///< [9 n_block + kBlockPadding], layout of block_csr.hpp

  BlockMatrix() = default;
  /// Matrix of zeros.
  explicit BlockMatrix(std::shared_ptr<const BlockPattern> p);

  int n_row() const { return pattern ? pattern->n_row() : 0; }
  BlockCsrView<double> view() const;
  Mat3d block(int k) const { return load_block(value.data() + 9 * static_cast<std::size_t>(k)); }
  void set_block(int k, const Mat3d& m) {
    store_block(value.data() + 9 * static_cast<std::size_t>(k), m);
  }
  /// Row i of A x.
  Vec3d row_product(int i, const std::vector<Vec3d>& x) const;
  /// y = A x, single-threaded, for oracles and error measures.
  std::vector<Vec3d> multiply(const std::vector<Vec3d>& x) const;
  /// Scalar matrix, stored by columns (Eigen's default) or by rows.
  Eigen::SparseMatrix<double> to_eigen() const;
  Eigen::SparseMatrix<double, Eigen::RowMajor> to_eigen_rows() const;
};

}  // namespace nodia
