/// Compaction on the CPU: the twin of kernels/device/select_flagged.hpp.
#pragma once

#include <cstdint>

namespace nodia {

/// Indices i with flag[i] != 0, ascending.
/// @param selected    out: room for n
/// @param n_selected  out: their number
inline void select_flagged(const std::uint8_t* flag, int n, std::int32_t* selected,
                           std::int32_t* n_selected) {
  std::int32_t count = 0;
  for (int i = 0; i < n; ++i)
    if (flag[i] != 0) selected[count++] = i;
  *n_selected = count;
}

}  // namespace nodia
