/// Random block-sparse matrices of awkward shapes, for tests of products and of the device.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "kernels/linalg/block_csr.hpp"

namespace nodia::test {

template <class Real>
struct BlockRows {
  std::vector<std::int32_t> row_begin{0}, column;
  std::vector<Real> value;  ///< padding is NaN: it may be read, not used

  BlockCsrView<Real> view() const {
    return {static_cast<int>(row_begin.size()) - 1, row_begin.data(), column.data(), value.data()};
  }
};

/// Rows of 0 to n_column blocks: empty, single, even, odd and full rows; one value in five is zero.
template <class Real>
BlockRows<Real> random_block_rows(int n_row, int n_column, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<Real> entry(-1, 1);
  BlockRows<Real> rows;
  for (int i = 0; i < n_row; ++i) {
    const double density = i % 7 == 0 ? 0 : i % 7 == 1 ? 1 : (i % 7) / 10.0;
    for (int j = 0; j < n_column; ++j)
      if (std::bernoulli_distribution(density)(generator)) rows.column.push_back(j);
    rows.row_begin.push_back(static_cast<std::int32_t>(rows.column.size()));
  }
  rows.value.resize(9 * rows.column.size());
  for (Real& v : rows.value) v = generator() % 5 == 0 ? Real(0) : entry(generator);
  rows.value.resize(rows.value.size() + kBlockPadding, std::numeric_limits<Real>::quiet_NaN());
  return rows;
}

/// A symmetric pattern with every diagonal block: rows of 1 to some 20 blocks, neighbours near and
/// far; values over six decades.
inline BlockRows<double> random_square_rows(int n_row, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<double> entry(-1, 1), decade(-3, 3);
  std::vector<std::vector<char>> coupled(n_row, std::vector<char>(n_row, 0));
  for (int i = 0; i < n_row; ++i) {
    coupled[i][i] = 1;
    for (int k = 0; k < i % 8; ++k) {
      const int j = k % 3 == 0 ? static_cast<int>(generator() % n_row) : std::max(0, i - k);
      coupled[i][j] = coupled[j][i] = 1;
    }
  }
  BlockRows<double> rows;
  for (int i = 0; i < n_row; ++i) {
    for (int j = 0; j < n_row; ++j)
      if (coupled[i][j]) rows.column.push_back(j);
    rows.row_begin.push_back(static_cast<std::int32_t>(rows.column.size()));
  }
  rows.value.resize(9 * rows.column.size());
  for (double& v : rows.value) v = entry(generator) * std::pow(10, decade(generator));
  rows.value.resize(rows.value.size() + kBlockPadding, 0);
  return rows;
}

template <class Real>
std::vector<Vec3<Real>> random_vectors(int n, Real scale, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<Real> entry(-scale, scale);
  std::vector<Vec3<Real>> x(n);
  for (Vec3<Real>& v : x) v = {entry(generator), entry(generator), entry(generator)};
  return x;
}

}  // namespace nodia::test
