/// Errors of an environment's solution, found by kernels/step/evaluate.hpp.
#pragma once

#include "kernels/contact/solution_sums.hpp"

namespace nodia {

struct SoftEvaluation {
  SolutionSums sums;
  bool is_finite = true;  ///< whether v and lambda are finite
};

}  // namespace nodia
