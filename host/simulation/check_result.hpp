/// Result of a check of a scenario.
#pragma once

#include <optional>
#include <string>

namespace nodia {

/// The measured value of a quantity beside the expected one.
struct Expectation {
  double measured = 0, expected = 0, tolerance = 0;
  std::string unit;
};

/// An answer known beforehand, compared with the run.
struct CheckResult {
  std::string name;
  bool passed = false;
  double value = 0;
  double bound = 0;
  std::string unit;  ///< of value and bound; empty or "-" for numbers
  int env = 0;
  std::string not_compared = {};  ///< why nothing was compared, then not passed; empty where it was
  bool no_data = false;           ///< because there was no reference or no sample: no failure
  bool is_least = false;          ///< the bound is the least allowed value, else the greatest
  /// Present if the value is the distance of a quantity from an expected one.
  std::optional<Expectation> expectation = {};
  std::string quantity = {};  ///< what is compared, in words: "largest penetration"

  bool failed() const { return !passed && !no_data; }
};

/// The comparison in words, for a check that was compared:
/// "force 0 N, expected 0.4905 N +- 0.0049 N, off by 0.4905 N" or
/// "largest penetration 0.002 m, must be at most 0.0001 m, 0.0019 m too large".
std::string comparison_of(const CheckResult& c);

}  // namespace nodia
