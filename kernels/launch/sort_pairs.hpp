/// Sort of pairs by their keys on the CPU, the counterpart of kernels/device/sort_pairs.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace nodia {

struct SortSize {
  int n = 0;      ///< number of pairs
  int n_bit = 0;  ///< number of lowest key bits that are compared, 1 to 64
};

/// Sorts pairs by ascending keys; stable.
/// @param sorted_key, sorted_value  output: memory for n, separate from the input
inline void sort_pairs(const std::uint64_t* key, const std::int32_t* value, SortSize size,
                       std::uint64_t* sorted_key, std::int32_t* sorted_value) {
  const std::uint64_t looked_at = ~std::uint64_t{0} >> (64 - size.n_bit);
  std::vector<std::int32_t> order(static_cast<std::size_t>(size.n));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return (key[a] & looked_at) < (key[b] & looked_at);
  });
  for (const std::int32_t k : order) {
    *sorted_key++ = key[k];
    *sorted_value++ = value[k];
  }
}

}  // namespace nodia
