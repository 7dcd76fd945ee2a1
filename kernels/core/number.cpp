#include "kernels/core/number.hpp"

#include <locale.h>

#include <charconv>
#include <cmath>
#include <cstdlib>
#include <string>

namespace nodia {
namespace {

/// Value for which std::from_chars reports out of range: infinity or zero.
double beyond_range(std::string_view text) {
  static const locale_t c_locale = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(std::string(text).c_str(), nullptr, c_locale);
}

}  // namespace

std::optional<double> parse_real(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-') text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code == std::errc::result_out_of_range)
    value = beyond_range(text.substr(0, end - text.data()));
  if (code == std::errc::invalid_argument || end != text.data() + text.size() ||
      !std::isfinite(value))
    return {};
  return value;
}

}  // namespace nodia
