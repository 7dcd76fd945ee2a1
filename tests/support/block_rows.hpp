/// Random block-sparse matrices of awkward shapes, for tests of products and of the device.
#pragma once

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

template <class Real>
std::vector<Vec3<Real>> random_vectors(int n, Real scale, unsigned seed) {
  std::mt19937 generator(seed);
  std::uniform_real_distribution<Real> entry(-scale, scale);
  std::vector<Vec3<Real>> x(n);
  for (Vec3<Real>& v : x) v = {entry(generator), entry(generator), entry(generator)};
  return x;
}

}  // namespace nodia::test
