/// Sums over long lists on the CPU.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/cpu/over_items.hpp"

namespace nodia {

/// Terms that are summed one after another.
inline constexpr int kSumChunk = 4096;

/// What add(0, &sum) .. add(n - 1, &sum) make of `start`; of more than a chunk, chunk by chunk from
/// zero and then the chunks in order: the bits are the same for every number of threads.
/// @tparam Sum  zero when default-made, with +=
/// @param add  add(int i, Sum*); does not throw
template <class Sum, class Add>
Sum chunk_sum(int n, int n_thread, Sum start, const Add& add) {
  const auto of_chunk = [&](int begin, Sum sum) {
    for (int i = begin; i < std::min(n, begin + kSumChunk); ++i) add(i, &sum);
    return sum;
  };
  if (n <= kSumChunk) return of_chunk(0, start);
  std::vector<Sum> part((static_cast<std::size_t>(n) + kSumChunk - 1) / kSumChunk);
  for_items(static_cast<int>(part.size()), n_thread,
            [&](int c) { part[static_cast<std::size_t>(c)] = of_chunk(c * kSumChunk, Sum{}); });
  for (const Sum& of_one : part) start += of_one;
  return start;
}

}  // namespace nodia
