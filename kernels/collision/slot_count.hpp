/// Number of slots of a detection, with a check of its range.
#pragma once

#include <cstddef>
#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {

/// Slots of a detection (detect_nodes.hpp).
/// @throws InputError if they exceed 2^31 - 1
inline int slot_count(std::size_t n_obstacle, int n_node) {
  const double n_slot = static_cast<double>(n_obstacle) * n_node;
  if (!(n_slot <= std::numeric_limits<std::int32_t>::max()))
    throw_bad_value("nodes times obstacles", n_slot, "<= 2^31 - 1",
                    "split the scene into environments");
  return static_cast<int>(n_slot);
}

}  // namespace nodia
