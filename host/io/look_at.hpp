/// Points of a run that need attention: the short list at the end of the screen and of
/// summary.json.
#pragma once

#include <string>
#include <vector>

namespace nodia {

struct RunSummary;

/// One point, at its first occurrence.
struct LookAt {
  /// Kind of the point. These words are stable like keys: failed_environment, unconverged,
  /// check_failed, check_not_compared, check_not_reached, overlap, turn, warning, interrupted.
  std::string what;
  int env = -1;      ///< -1: concerns no single environment
  int step = -1;     ///< -1: concerns no single step
  std::string text;  ///< one line: counts, names, numbers
};

/// A share with two digits, or all digits before the point: `8.4 %`, `578 %`.
std::string shown_percent(double share);

/// Points of a run, worst first; empty if there are none. Of every kind a few; the last one gives
/// the number of further ones.
std::vector<LookAt> what_to_look_at(const RunSummary& summary);

}  // namespace nodia
