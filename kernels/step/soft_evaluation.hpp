/// Errors of an environment's solution, found by kernels/step/evaluate.hpp.
#pragma once

#include "kernels/contact/answer_sums.hpp"

namespace nodia {

struct SoftEvaluation {
  AnswerSums sums;
  bool is_finite = true;  ///< whether v and lambda are finite
};

}  // namespace nodia
