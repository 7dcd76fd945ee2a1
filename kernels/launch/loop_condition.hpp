/// Condition of a kernel loop, in the backend's memory: a kernel decides on the next body, and an
/// upper bound ends the loop in any case, because a loop on the device cannot be interrupted.
#pragma once

#include <cstdint>

#include "kernels/core/macros.hpp"

namespace nodia {

struct LoopCondition {
  std::int32_t running = 0;   ///< written by the kernels: another body is needed
  std::int64_t n_body = 0;    ///< finished bodies
  std::int64_t max_body = 0;  ///< upper bound of n_body; an error if `running` is set then
};

/// Counts a body at its end. Returns true if another one follows.
NODIA_HD bool another_body(LoopCondition* condition) {
  ++condition->n_body;
  return condition->running != 0 && condition->n_body < condition->max_body;
}

/// repeat_while of launchers that use host memory.
template <class Body>
void repeat_on_host(LoopCondition* condition, const Body& body) {
  if (condition->running == 0) return;
  do body();
  while (another_body(condition));
}

}  // namespace nodia
