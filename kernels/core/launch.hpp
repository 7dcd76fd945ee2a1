/// Launching a named functor over an index range on the CPU, and sums in a fixed order.
///
/// A functor is plain data with `operator()(int i)`. Each backend only launches it: this header with OpenMP,
/// kernels/device/launch.cuh with CUDA. Sums are made of partial sums over fixed chunks, so that they do not depend on the
/// number of threads.
#pragma once

#include <cstdint>

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace nodia {

/// Indices per chunk of an ordered sum: part of the result, not a tuning knob of one machine.
inline constexpr int kChunk = 256;

inline int chunk_count(int n) { return (n + kChunk - 1) / kChunk; }

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

/// Sum over 0 <= i < n of `f(i)`, chunk by chunk: the same bits for every number of threads.
/// @param partial  workspace of chunk_count(n) values
template <class Functor>
double ordered_sum(int n, const Functor& f, double* partial, int n_thread) {
  const int n_chunk = chunk_count(n);
  const auto sum_chunk = [&](int c) {
    const int end = (c + 1) * kChunk < n ? (c + 1) * kChunk : n;
    double sum = 0;
    for (int i = c * kChunk; i < end; ++i) sum += f(i);
    partial[c] = sum;
  };
  launch(n_chunk, sum_chunk, n_thread);
  double sum = 0;
  for (int c = 0; c < n_chunk; ++c) sum += partial[c];
  return sum;
}

}  // namespace nodia
