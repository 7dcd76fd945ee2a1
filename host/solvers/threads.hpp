/// How many threads a piece of work gets.
#pragma once

#include <algorithm>

#include "kernels/core/launch.hpp"

namespace nodia {

/// Nodes below which one thread is faster than an OpenMP region per pass (performance.md, 3.9).
inline constexpr int kNodesPerThreadedPass = 4000;

/// @param requested  0: from the size and the machine; otherwise taken as it is
inline int thread_count(int requested, int n_node) {
  if (requested > 0) return requested;
  return n_node < kNodesPerThreadedPass ? 1 : std::max(1, omp_get_max_threads());
}

}  // namespace nodia
