/// Range of the environments of a problem.
#pragma once

namespace nodia {

/// [begin, end)
struct EnvironmentRange {
  int begin = 0, end = 0;

  bool has(int env) const { return begin <= env && env < end; }
};

}  // namespace nodia
