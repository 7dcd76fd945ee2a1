/// What a check says about a run.
#pragma once

#include <string>

namespace nodia {

/// An answer known beforehand, compared with the run.
struct CheckResult {
  std::string name;
  bool passed = false;
  double value = 0;
  double bound = 0;
  std::string unit;
  int env = 0;
  std::string not_compared = {};  ///< why nothing was compared, then not passed; empty where it was
  bool no_data = false;           ///< because there was no reference or no sample: no failure

  bool failed() const { return !passed && !no_data; }
};

}  // namespace nodia
