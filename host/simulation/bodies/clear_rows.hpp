/// Clears rows of A and b before terms are added.
#pragma once

#include <algorithm>

#include "fem/matrix/block_matrix.hpp"

namespace nodia {

/// Sets the rows [begin, end) to zero. @param value, b  blocks and right-hand side of all rows
inline void clear_rows(const BlockPattern& pattern, std::int32_t begin, std::int32_t end,
                       double* value, Vec3d* b) {
  std::fill(value + 9 * std::ptrdiff_t{pattern.row_begin[begin]},
            value + 9 * std::ptrdiff_t{pattern.row_begin[end]}, 0.0);
  std::fill(b + begin, b + end, Vec3d{});
}

}  // namespace nodia
