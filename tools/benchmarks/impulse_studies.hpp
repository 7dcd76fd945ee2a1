/// The curves behind figures on impulse-level solvers: Lu & Trinkle, Schindler et al., Sun,
/// Enzenhoefer et al.
#pragma once

#include <vector>

#include "tools/benchmarks/study.hpp"

namespace nodia::studies {

/// A study whose cases, solvers and rules are fixed: `nodia study NAME` prints its table.
struct Study {
  const char* name;
  const char* title;
  Table (*make)();
};
/// The studies, a visible table.
const std::vector<Study>& impulse_studies();

}  // namespace nodia::studies
