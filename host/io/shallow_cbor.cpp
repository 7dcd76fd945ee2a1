#include "host/io/shallow_cbor.hpp"

#include <array>
#include <cstdint>

namespace nodia {
namespace {

constexpr std::size_t kMaxDepth = 16;

enum MajorType { kUnsigned, kNegative, kBytes, kText, kArray, kMap, kTag, kOther };

/// Removes the head of an item from the front of the bytes.
/// @return false if the bytes end in it, or its length is indefinite
bool take_head(std::string_view* bytes, int* type, std::uint64_t* argument) {
  if (bytes->empty()) return false;
  const auto first = static_cast<unsigned char>(bytes->front());
  bytes->remove_prefix(1);
  *type = first >> 5;
  *argument = first & 31;
  if (*argument < 24) return true;
  if (*argument > 27) return false;
  const std::size_t n_byte = std::size_t{1} << (*argument - 24);
  if (bytes->size() < n_byte) return false;
  *argument = 0;
  for (std::size_t k = 0; k < n_byte; ++k)
    *argument = *argument << 8 | static_cast<unsigned char>((*bytes)[k]);
  bytes->remove_prefix(n_byte);
  return true;
}

}  // namespace

bool is_shallow_cbor(std::string_view bytes) {
  std::array<std::uint64_t, kMaxDepth + 1> n_left{1};  // open items by depth
  std::size_t depth = 0;
  for (;;) {
    while (n_left[depth] == 0) {
      if (depth == 0) return bytes.empty();
      --depth;
    }
    --n_left[depth];
    int type = 0;
    std::uint64_t argument = 0;
    if (!take_head(&bytes, &type, &argument) || type == kTag) return false;
    if (type == kBytes || type == kText) {
      if (argument > bytes.size()) return false;
      bytes.remove_prefix(argument);
    }
    if (type == kArray || type == kMap) {
      // An item has at least one byte.
      if (argument > bytes.size() || depth == kMaxDepth) return false;
      n_left[++depth] = type == kMap ? 2 * argument : argument;
    }
  }
}

}  // namespace nodia
