/// The vector that a power iteration starts from.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/problem/topology.hpp"

namespace nodia {

/// Entry i where no earlier iteration has left its own. Its phase grows as the square of i, so that
/// it holds waves of all lengths and its share of no eigenvector is small for the order of the
/// rows.
inline double power_start(std::int64_t i) {
  const auto k = static_cast<double>(i + 1);
  return std::cos(k * k / 2);
}

/// For the largest eigenvalue of D^-1 K, D about the diagonal of K: where x has no entry per row,
/// power_start() in the scale of D; then every body alike in the norm of D. A stiff one would hide
/// the others, and one that an earlier iteration has left at rest would not be found again.
/// @param bodies  of K's rows; of none: all rows are one
void start_power_iteration(const BlockMatrix& K, const std::vector<Body>& bodies,
                           std::vector<Vec3d>* x);

}  // namespace nodia
