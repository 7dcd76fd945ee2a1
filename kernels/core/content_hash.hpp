/// Hash of contents: equal contents have equal hashes; different contents almost never do.
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "kernels/core/pose.hpp"

namespace nodia {

/// Adds words one after the other, in the manner of FNV-1a. It does not protect against forgery.
class ContentHash {
 public:
  void add(std::uint64_t word) { value_ = (value_ ^ word) * 0x100000001b3; }
  void add(std::int32_t a, std::int32_t b) {
    add(std::uint64_t{static_cast<std::uint32_t>(a)} << 32 | static_cast<std::uint32_t>(b));
  }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(Vec3d v) {
    for (int axis = 0; axis < 3; ++axis) add(v[axis]);
  }
  void add(Quaternion q) {
    for (const double number : {q.w, q.x, q.y, q.z}) add(number);
  }
  void add(std::string_view text) {
    add(std::uint64_t{text.size()});
    for (const char c : text) add(std::uint64_t{static_cast<unsigned char>(c)});
  }

  /// Spreads the high bits over the low ones.
  std::uint64_t value() const { return value_ ^ (value_ >> 32); }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace nodia
