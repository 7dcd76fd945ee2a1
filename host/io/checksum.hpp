/// A number that damaged bytes do not have.
#pragma once

#include <cstdint>
#include <string_view>

namespace nodia {

/// FNV-1a, 64 bits.
inline std::uint64_t checksum_of(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

}  // namespace nodia
