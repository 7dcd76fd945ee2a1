/// Reads numbers in files and options, in one way for all and in any locale.
#pragma once

#include <optional>
#include <string_view>

namespace nodia {

/// A decimal number in the range of double, with or without a sign. Absent for every other text:
/// blanks, `inf`, `nan`, hexadecimal numbers, and numbers beyond the range (1e400). Numbers below
/// half the smallest double become zero; subnormal numbers are kept.
std::optional<double> parse_real(std::string_view text);

}  // namespace nodia
