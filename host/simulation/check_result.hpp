/// Result of a check of a scenario.
#pragma once

#include <optional>
#include <string>

namespace nodia {

/// Measured and expected value of a quantity.
struct Expectation {
  double measured = 0, expected = 0, tolerance = 0;
  std::string unit;
};

/// Comparison of the run with a known expected value.
struct CheckResult {
  std::string name;
  bool passed = false;
  double value = 0;
  double bound = 0;
  std::string unit;  ///< of value and bound; empty or "-" for numbers
  int env = 0;
  std::string not_compared = {};  ///< reason if nothing was compared (then not passed); else empty
  bool no_data = false;   ///< true if there was no reference or no sample; this is no failure
  bool is_least = false;  ///< true: bound is the smallest allowed value; false: the largest
  /// Present if the value is the distance of a quantity from an expected one.
  std::optional<Expectation> expectation = {};
  std::string quantity = {};  ///< compared quantity as text: "largest penetration"

  bool failed() const { return !passed && !no_data; }
};

/// Text of a comparison:
/// "force 0 N, expected 0.4905 N +- 0.0049 N, off by 0.4905 N" or
/// "largest penetration 0.002 m, must be at most 0.0001 m, 0.0019 m too large".
std::string comparison_of(const CheckResult& c);

}  // namespace nodia
