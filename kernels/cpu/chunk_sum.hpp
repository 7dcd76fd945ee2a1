/// Sums over long lists on the CPU, in the order of the kernels' sums.
#pragma once

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/cpu/over_items.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

namespace detail {

/// t_0 of a BlockReduction of `n` terms, padded with zeros.
template <class Sum>
Sum combine_lanes(std::array<Sum, kBlockLanes>* lane, int n) {
  for (int distance = kBlockLanes / 2; distance > 0; distance /= 2) {
    for (int l = 0; l + distance < n; ++l)
      (*lane)[static_cast<std::size_t>(l)] += (*lane)[static_cast<std::size_t>(l + distance)];
    n = std::min(n, distance);
  }
  return (*lane)[0];
}

}  // namespace detail

/// Returns start + the sum over i in [0, n) of the term that add(i, Sum*) adds to zero. The result
/// has the bits of a kernel, for any number of threads: chunks of kBlockLanes terms are combined as
/// in BlockReduction, then the chunks' sums as in BlockReduction::gather and its steps.
/// @tparam Sum  value-initialised to zero, with +=
/// @param add  must not throw
template <class Sum, class Add>
Sum chunk_sum(int n, int n_thread, Sum start, const Add& add) {
  using LanesOf = std::array<Sum, kBlockLanes>;
  const auto of_chunk = [&](int chunk) {
    LanesOf lane{};
    const int first = chunk * kBlockLanes, size = std::min(n - first, kBlockLanes);
    for (int l = 0; l < size; ++l) add(first + l, &lane[static_cast<std::size_t>(l)]);
    return detail::combine_lanes(&lane, size);
  };
  if (n <= kBlockLanes) {
    if (n > 0) start += of_chunk(0);
    return start;
  }
  std::vector<Sum> part(static_cast<std::size_t>(item_count(n)));
  for_items(static_cast<int>(part.size()), n_thread,
            [&](int c) { part[static_cast<std::size_t>(c)] = of_chunk(c); });
  LanesOf lane{};
  for (std::size_t c = 0; c < part.size(); ++c) lane[c % kBlockLanes] += part[c];
  start += detail::combine_lanes(&lane, std::min(static_cast<int>(part.size()), kBlockLanes));
  return start;
}

}  // namespace nodia
