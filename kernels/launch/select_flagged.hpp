/// Compaction on the CPU, the counterpart of kernels/device/select_flagged.hpp.
#pragma once

#include <cstdint>
#include <cstring>

namespace nodia {

/// Calls f(i) for the indices i with flag[i] != 0, ascending. Fast if few flags are set.
template <class F>
void for_each_flagged(const std::uint8_t* flag, int n, const F& f) {
  constexpr int kWord = sizeof(std::uint64_t);
  int i = 0;
  for (; i + kWord <= n; i += kWord) {
    std::uint64_t word = 0;
    std::memcpy(&word, flag + i, kWord);
    if (word == 0) continue;
    for (int k = i; k < i + kWord; ++k)
      if (flag[k] != 0) f(k);
  }
  for (; i < n; ++i)
    if (flag[i] != 0) f(i);
}

/// Selects the indices i with flag[i] != 0, ascending.
/// @param selected    output: memory for n indices
/// @param n_selected  output: their number
inline void select_flagged(const std::uint8_t* flag, int n, std::int32_t* selected,
                           std::int32_t* n_selected) {
  std::int32_t count = 0;
  for_each_flagged(flag, n, [&](int i) { selected[count++] = i; });
  *n_selected = count;
}

}  // namespace nodia
