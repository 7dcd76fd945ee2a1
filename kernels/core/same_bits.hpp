/// Equality of what is stored, where equality of values would say too much or too little.
#pragma once

#include <cstring>
#include <type_traits>

namespace nodia {

/// Whether both have the same bits: -0 is not 0, and a NaN is itself. Of types without padding.
template <class T>
bool same_bits(const T& a, const T& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  return std::memcmp(static_cast<const void*>(&a), static_cast<const void*>(&b), sizeof(T)) == 0;
}

}  // namespace nodia
