/// One spring between rows of a system: strain e with rate sum c_r . v_r, stiffness k.
///
///   A += (theta t + beta) k c c^T,   b -= k (e + (theta t + beta) e_moving) c
#pragma once

#include <cstdint>
#include <vector>

#include "fem/matrix/block_matrix.hpp"

namespace nodia {

struct SpringRow {
  struct Part {
    std::int32_t row;
    Vec3d c;
  };
  std::vector<Part> parts;
  double strain = 0;     ///< e at the start of the step
  double stiffness = 0;  ///< k

  /// Finds the blocks that add_to() changes, one per pair of parts; they depend only on the rows.
  void find_blocks(const BlockPattern& pattern, std::vector<std::int32_t>* block) const {
    block->clear();
    for (const Part& p : parts)
      for (const Part& q : parts) block->push_back(pattern.find(p.row, q.row));
  }
  /// @param per_velocity  theta t + beta [s]
  void add_to(const std::vector<std::int32_t>& block, double per_velocity, double* value,
              Vec3d* b) const {
    auto k = block.begin();
    for (const Part& p : parts) {
      b[p.row] -= (stiffness * strain) * p.c;
      for (const Part& q : parts) {
        double* entry = value + 9 * static_cast<std::ptrdiff_t>(*k++);
        store_block(entry, load_block(entry) + outer((per_velocity * stiffness) * p.c, q.c));
      }
    }
  }
  /// Mean of -k e over the step [N].
  double force(double per_velocity, const Vec3d* v_hat) const {
    double e = strain;
    for (const Part& p : parts) e += per_velocity * dot(p.c, v_hat[p.row]);
    return -stiffness * e;
  }
};

}  // namespace nodia
