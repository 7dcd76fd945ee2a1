/// Host loops over an index range. Work that the device shares is a kernel of
/// kernels/launch/kernel.hpp instead.
#pragma once

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace nodia {

/// Calls `f(i)` for 0 <= i < n. Calls must be independent of each other.
/// @param n_thread  1 runs in the calling thread without an OpenMP region
template <class Functor>
void launch(int n, const Functor& f, int n_thread) {
  if (n_thread <= 1) {
    for (int i = 0; i < n; ++i) f(i);
    return;
  }
#pragma omp parallel for schedule(static) num_threads(n_thread)
  for (int i = 0; i < n; ++i) f(i);
}

}  // namespace nodia
