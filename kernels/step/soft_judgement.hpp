/// What a launch of kernels/step/judge.hpp finds of an environment's answer.
#pragma once

#include "kernels/contact/answer_sums.hpp"

namespace nodia {

struct SoftJudgement {
  AnswerSums sums;
  bool is_finite = true;  ///< v and lambda
};

}  // namespace nodia
