#include "fem/matrix/block_matrix.hpp"

#include <algorithm>
#include <stdexcept>

namespace nodia {

int BlockPattern::find(int row, int col) const {
  if (row < 0 || row >= n_row()) return -1;
  const auto begin = column.begin() + row_begin[row];
  const auto end = column.begin() + row_begin[row + 1];
  const auto it = std::lower_bound(begin, end, col);
  return it != end && *it == col ? static_cast<int>(it - column.begin()) : -1;
}

std::shared_ptr<const BlockPattern> BlockPattern::from_couplings(
    int n_row, const std::vector<std::pair<std::int32_t, std::int32_t>>& couplings) {
  if (n_row < 0) throw std::invalid_argument("BlockPattern: negative number of rows");
  // First all rows with duplicates, each starting with its diagonal; then each row is sorted and
  // duplicates are removed.
  std::vector<std::size_t> begin(static_cast<std::size_t>(n_row) + 1, 0);
  for (const auto& [i, j] : couplings) {
    if (i < 0 || j < 0 || i >= n_row || j >= n_row)
      throw std::invalid_argument("BlockPattern: coupling outside the rows");
    if (i == j) continue;
    ++begin[static_cast<std::size_t>(i) + 1];
    ++begin[static_cast<std::size_t>(j) + 1];
  }
  for (int i = 0; i < n_row; ++i) begin[i + 1] += begin[i] + 1;
  std::vector<std::int32_t> entry(begin[n_row]);
  std::vector<std::size_t> next(begin.begin(), begin.end() - 1);
  for (int i = 0; i < n_row; ++i) entry[next[i]++] = i;
  for (const auto& [i, j] : couplings) {
    if (i == j) continue;
    entry[next[i]++] = j;
    entry[next[j]++] = i;
  }

  auto pattern = std::make_shared<BlockPattern>();
  pattern->row_begin.resize(static_cast<std::size_t>(n_row) + 1);
  pattern->diagonal.resize(n_row);
  for (int i = 0; i < n_row; ++i) {
    const auto first = entry.begin() + static_cast<std::ptrdiff_t>(begin[i]);
    const auto last = entry.begin() + static_cast<std::ptrdiff_t>(begin[i + 1]);
    std::sort(first, last);
    const auto end = std::unique(first, last);
    const auto diagonal = std::lower_bound(first, end, i);
    pattern->diagonal[i] = static_cast<std::int32_t>(pattern->column.size() + (diagonal - first));
    pattern->column.insert(pattern->column.end(), first, end);
    pattern->row_begin[i + 1] = static_cast<std::int32_t>(pattern->column.size());
  }
  return pattern;
}

std::shared_ptr<const BlockPattern> BlockPattern::concatenate(
    const std::vector<std::shared_ptr<const BlockPattern>>& parts) {
  auto whole = std::make_shared<BlockPattern>();
  std::size_t n_row = 0, n_block = 0;
  for (const auto& part : parts) {
    n_row += part->diagonal.size();
    n_block += part->column.size();
  }
  whole->row_begin.reserve(n_row + 1);
  whole->diagonal.reserve(n_row);
  whole->column.reserve(n_block);
  for (const auto& part : parts) {
    const auto row_offset = static_cast<std::int32_t>(whole->n_row());
    const auto block_offset = static_cast<std::int32_t>(whole->n_block());
    for (const std::int32_t c : part->column) whole->column.push_back(row_offset + c);
    for (const std::int32_t d : part->diagonal) whole->diagonal.push_back(block_offset + d);
    for (int i = 0; i < part->n_row(); ++i)
      whole->row_begin.push_back(block_offset + part->row_begin[i + 1]);
  }
  return whole;
}

BlockMatrix::BlockMatrix(std::shared_ptr<const BlockPattern> p)
    : pattern(std::move(p)),
      value(9 * static_cast<std::size_t>(pattern->n_block()) + kBlockPadding, 0.0) {}

BlockCsrView<double> BlockMatrix::view() const {
  if (!pattern) return {};
  return {n_row(), pattern->row_begin.data(), pattern->column.data(), value.data()};
}

Vec3d BlockMatrix::row_product(int i, const std::vector<Vec3d>& x) const {
  Vec3d y{};
  for (int k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k)
    y += block(k) * x[pattern->column[k]];
  return y;
}

std::vector<Vec3d> BlockMatrix::multiply(const std::vector<Vec3d>& x) const {
  std::vector<Vec3d> y(n_row());
  for (int i = 0; i < n_row(); ++i) y[i] = row_product(i, x);
  return y;
}

Eigen::SparseMatrix<double, Eigen::RowMajor> BlockMatrix::to_eigen_rows() const {
  const int n = n_row();
  Eigen::SparseMatrix<double, Eigen::RowMajor> a(3 * n, 3 * n);
  if (n == 0) return a;
  a.resizeNonZeros(9 * static_cast<Eigen::Index>(pattern->n_block()));
  int filled = 0;
  for (int i = 0; i < n; ++i) {
    for (int r = 0; r < 3; ++r) {
      a.outerIndexPtr()[3 * i + r] = filled;
      for (int k = pattern->row_begin[i]; k < pattern->row_begin[i + 1]; ++k) {
        for (int c = 0; c < 3; ++c, ++filled) {
          a.innerIndexPtr()[filled] = 3 * pattern->column[k] + c;
          a.valuePtr()[filled] = value[9 * static_cast<std::size_t>(k) + 3 * c + r];
        }
      }
    }
  }
  a.outerIndexPtr()[3 * n] = filled;
  return a;
}

Eigen::SparseMatrix<double> BlockMatrix::to_eigen() const {
  return Eigen::SparseMatrix<double>(to_eigen_rows());
}

}  // namespace nodia
