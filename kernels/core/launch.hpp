/// Launching a named functor over an index range on the CPU, and sums in a fixed order.
///
/// A functor is plain data with `operator()(int i)`. Each backend only launches it: this header
/// with OpenMP, kernels/device/launch.cuh with CUDA. The order of a sum depends on the number of
/// terms alone, so that every number of threads and both backends give the same bits.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace nodia {

/// Terms per chunk of an ordered sum: part of the result, not a tuning knob of one machine.
inline constexpr int kChunk = 256;
/// Interleaved partial sums of a chunk: independent additions on the CPU, neighbouring threads on
/// the device.
inline constexpr int kSumLanes = 8;

NODIA_HD int chunk_count(int n) {
  return n / kChunk + (n % kChunk != 0 ? 1 : 0);
}
/// One past the last term of chunk `c` of a sum of n terms.
NODIA_HD int chunk_end(int c, int n) {
  return n - c * kChunk < kChunk ? n : (c + 1) * kChunk;
}

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

/// Sum of one chunk, begin <= i < end:
///
///   p_l = f(begin + l) + f(begin + l + 8) + ...,   ((p_0 + p_1) + (p_2 + p_3)) + ((p_4 + p_5) +
///   (p_6 + p_7))
template <class Functor>
double sum_of_chunk(int begin, int end, const Functor& f) {
  double p[kSumLanes] = {};
  int i = begin;
  for (; i + kSumLanes <= end; i += kSumLanes)
    for (int l = 0; l < kSumLanes; ++l) p[l] += f(i + l);
  for (int l = 0; i + l < end; ++l) p[l] += f(i + l);
  return ((p[0] + p[1]) + (p[2] + p[3])) + ((p[4] + p[5]) + (p[6] + p[7]));
}

/// Sum over 0 <= i < n of `f(i)`: of the chunks of the terms, then of the chunks of those sums,
/// until one value is left.
/// @param partial  workspace of chunk_count(n) values
template <class Functor>
double ordered_sum(int n, const Functor& f, double* partial, int n_thread) {
  if (n <= 0) return 0;
  int count = chunk_count(n);
  launch(
      count, [&](int c) { partial[c] = sum_of_chunk(c * kChunk, chunk_end(c, n), f); }, n_thread);
  while (count > 1) {
    const int n_partial = count;
    count = chunk_count(n_partial);
    for (int c = 0; c < count; ++c)
      partial[c] =
          sum_of_chunk(c * kChunk, chunk_end(c, n_partial), [&](int i) { return partial[i]; });
  }
  return partial[0];
}

}  // namespace nodia
