/// Equality of stored bits, for callers to whom -0 and NaN matter.
#pragma once

#include <cstring>
#include <type_traits>

namespace nodia {

/// True if both have the same bits: -0 differs from 0, and a NaN equals itself. For types without
/// padding.
template <class T>
bool same_bits(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
}

}  // namespace nodia
