#include "kernels/core/plain_name.hpp"

#include <cstddef>

namespace nodia {

bool is_plain_name(std::string_view name) {
  constexpr unsigned char kDelete = 0x7f, kLeadOfC1 = 0xc2, kEndOfC1 = 0xa0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    const unsigned char next = i + 1 < name.size() ? static_cast<unsigned char>(name[i + 1]) : 0;
    const bool is_c1 = c == kLeadOfC1 && next >= 0x80 && next < kEndOfC1;
    if (c < ' ' || c == kDelete || c == '<' || is_c1) return false;
  }
  return true;
}

}  // namespace nodia
