/// Scenes brought to rest before something begins in them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// How a scene came to rest.
struct Settled {
  State state;           ///< at time 0, step 0
  bool at_rest = false;  ///< otherwise the time was over, or a step had no answer
  double speed_m_s = 0;  ///< largest of the last control step
  double time_s = 0;     ///< that it took
  SolveStatus status = SolveStatus::converged;  ///< the worst of all steps
  std::string cause;                            ///< of it, in words; empty where it says it all
  std::vector<OverlapNotice> overlaps;  ///< objects in each other before the first of its steps
};

/// The largest speed of a node or of a body's frames, and the largest rate of a joint, whatever its
/// unit.
double largest_speed(const State& state, const BodyLayout& layout);

/// How bad a status is: 0 converged, 1 the best that was found, 2 a failure.
int badness(SolveStatus status);

/// Steps scenes with their clocks before 0, where their paths are at their beginnings, until
/// nothing was faster than the bound for `steps_at_rest` steps. Each has the result that it has
/// alone.
/// @param see  is told every step of the scenes, up to the one that ends their settling
std::vector<Settled> settle(const std::vector<Scene>& scenes, const SolverOptions& solver,
                            const SettleDescription& how, int steps_at_rest,
                            const std::function<void(int, const StepView&)>& see);

}  // namespace nodia
