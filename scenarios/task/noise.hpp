/// Normal noise on what a learner sees.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/format/draw_seed.hpp"
#include "scenarios/task/observables.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Of one episode. A number depends on what draws the episode, its observation, the control step
/// and its component alone.
class Noise {
 public:
  /// @param observed  what task.observe names
  Noise(const TaskDescription& task, const std::vector<Observable>& observed,
        const DrawSeed& drawn_by);

  /// Adds that of a control step: to every component; what a bound is passed by is cut, and
  /// quaternions are of unit length again, with w >= 0.
  /// @param k       place of the observable
  /// @param n_step  control steps that the episode has taken
  /// @param values  its size() numbers, true ones
  void add(int k, const Observable& observable, std::int64_t n_step, double* values) const;

 private:
  struct Source {
    double deviation;
    DrawStream stream;
  };
  std::vector<Source> sources_;  ///< by observable
};

}  // namespace nodia
