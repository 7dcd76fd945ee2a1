/// The initial vector of a power iteration.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "fem/matrix/block_matrix.hpp"
#include "host/problem/topology.hpp"

namespace nodia {

/// Entry i of the vector without an earlier iteration. Its phase grows as the square of i: it has
/// waves of all lengths, and no eigenvector's share is small due to the order of the rows.
inline double power_start(std::int64_t i) {
  const auto k = static_cast<double>(i + 1);
  return std::cos(k * k / 2);
}

/// Prepares x for the largest eigenvalue of D^-1 K, with D similar to the diagonal of K. If x has
/// no entry per row, it is power_start() in the scale of D; then every body has the same norm in D.
/// Otherwise a stiff body would hide the others, and a body with a zero entry would not be found.
/// @param bodies  of K's rows; empty: all rows form one body
void start_power_iteration(const BlockMatrix& K, const std::vector<Body>& bodies,
                           std::vector<Vec3d>* x);

}  // namespace nodia
