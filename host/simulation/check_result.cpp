#include "host/simulation/check_result.hpp"

#include <fmt/format.h>

#include <cmath>

namespace nodia {
namespace {

std::string with_unit(double value, const std::string& unit) {
  return unit.empty() || unit == "-" ? fmt::format("{:.4g}", value)
                                     : fmt::format("{:.4g} {}", value, unit);
}

}  // namespace

std::string comparison_of(const CheckResult& c) {
  if (const auto& e = c.expectation) {
    std::string text =
        fmt::format("{} {}, expected {} +- {}", c.quantity, with_unit(e->measured, e->unit),
                    with_unit(e->expected, e->unit), with_unit(e->tolerance, e->unit));
    if (c.passed) return text;
    return fmt::format("{}, off by {}", text,
                       with_unit(std::fabs(e->measured - e->expected), e->unit));
  }
  std::string text = fmt::format("{} {}, must be at {} {}", c.quantity, with_unit(c.value, c.unit),
                                 c.is_least ? "least" : "most", with_unit(c.bound, c.unit));
  if (c.passed || !std::isfinite(c.value)) return text;
  return fmt::format("{}, {} too {}", text, with_unit(std::fabs(c.value - c.bound), c.unit),
                     c.is_least ? "small" : "large");
}

}  // namespace nodia
