/// What deserves a look after a run: the short list at the end of the screen and of summary.json.
#pragma once

#include <string>
#include <vector>

namespace nodia {

struct RunSummary;

/// One thing, where it was seen first.
struct LookAt {
  /// A word of its kind, a contract like a key: failed_environment, unconverged, check_failed,
  /// check_not_compared, check_not_reached, overlap, warning, interrupted.
  std::string what;
  int env = -1;      ///< -1: of no environment in particular
  int step = -1;     ///< -1: of no step in particular
  std::string text;  ///< one line: counts, names, numbers
};

/// A share in words, with two digits or all before the point: `8.4 %`, `578 %`.
std::string shown_percent(double share);

/// Worst first; empty where nothing is left to say. Of every kind a few, the last of which says how
/// many more there are.
std::vector<LookAt> what_to_look_at(const RunSummary& summary);

}  // namespace nodia
