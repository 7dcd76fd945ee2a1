/// Checksums that detect damaged bytes. They do not detect forgery; sha256.hpp does.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace nodia {

inline constexpr std::uint64_t kChecksumOfNothing = 14695981039346656037u;

/// FNV-1a, 64 bits.
/// @param before  checksum of the preceding bytes
inline std::uint64_t checksum_of(std::string_view bytes,
                                 std::uint64_t before = kChecksumOfNothing) {
  std::uint64_t hash = before;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// Checksum as 16 hexadecimal digits.
inline std::string shown_checksum(std::uint64_t checksum) {
  return fmt::format("{:016x}", checksum);
}

/// Size and checksum of the bytes of a file, or of its first lines.
struct BytesSum {
  std::int64_t n_byte = 0;
  std::uint64_t checksum = kChecksumOfNothing;

  void add(std::string_view bytes) {
    n_byte += static_cast<std::int64_t>(bytes.size());
    checksum = checksum_of(bytes, checksum);
  }
  bool operator==(const BytesSum&) const = default;
};

}  // namespace nodia
