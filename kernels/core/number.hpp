/// Numbers as files and options write them: one reader for all, whatever the locale.
#pragma once

#include <optional>
#include <string_view>

namespace nodia {

/// A decimal number that a double holds, with or without a sign. Absent for every other text:
/// blanks, `inf`, `nan`, hexadecimal, and what is beyond double (1e400). What lies nearer to zero
/// than half the least double is zero; subnormal numbers are kept.
std::optional<double> parse_real(std::string_view text);

}  // namespace nodia
