/// Settling: steps scenes until they are at rest, before an episode starts.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Result of settling a scene.
struct Settled {
  State state;           ///< at time 0, step 0
  bool at_rest = false;  ///< false if the time limit was reached or a step had no solution
  double speed_m_s = 0;  ///< largest speed in the last steps_at_rest steps
  double time_s = 0;     ///< simulated time of settling
  SolveStatus status = SolveStatus::converged;  ///< worst status of all steps
  std::string cause;                            ///< reason of this status; may be empty
  std::vector<OverlapNotice> overlaps;          ///< objects that overlap before the first step
};

/// Maximum of the speeds of nodes and of frames [m/s] and of the rates of joints, in their units.
double largest_speed(const State& state, const BodyLayout& layout);

/// Rank of a status: 0 converged, 1 not converged (the best iterate is used), 2 failed.
int badness(SolveStatus status);

/// Steps scenes until their largest_speed() has not exceeded `how.speed_m_s` for `steps_at_rest`
/// steps, or until `how.at_most_s` has passed. Times are negative meanwhile, so paths stay at their
/// first keyframe. The result of a scene does not depend on the other scenes.
/// @param see  called for every step of a scene until it has settled, with the index of the scene
std::vector<Settled> settle(const std::vector<Scene>& scenes, const SolverOptions& solver,
                            const SettleDescription& how, int steps_at_rest,
                            const std::function<void(int, const StepView&)>& see);

}  // namespace nodia
