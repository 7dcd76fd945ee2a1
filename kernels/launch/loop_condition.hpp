/// The condition of a loop of kernels, in the backend's memory: what one of the kernels decides,
/// and a bound that holds whatever they decide. A loop on the device cannot be interrupted.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"

namespace nodia {

struct LoopCondition {
  std::int32_t running = 0;   ///< written by the kernels: another body is wanted
  std::int64_t n_body = 0;    ///< bodies so far
  std::int64_t max_body = 0;  ///< the loop ends after so many; still `running` then, it is at fault
};

/// At the end of a body: counts it, and says whether another one follows.
NODIA_HD bool another_body(LoopCondition* condition) {
  ++condition->n_body;
  return condition->running != 0 && condition->n_body < condition->max_body;
}

/// repeat_while of launchers whose memory is the host's.
template <class Body>
void repeat_on_host(LoopCondition* condition, const Body& body) {
  if (condition->running == 0) return;
  do body();
  while (another_body(condition));
}

}  // namespace nodia
