/// A 64-bit hash.
#pragma once

#include <cstdint>

namespace nodia {

/// Output function of SplitMix64: a bijection of 64 bits in which every input bit affects every
/// output bit [Steele, Lea, Flood 2014].
inline std::uint64_t splitmix64(std::uint64_t z) {
  z += 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

}  // namespace nodia
