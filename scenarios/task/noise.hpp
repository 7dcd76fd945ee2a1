/// Normal noise on observations.
#pragma once

#include <cstdint>
#include <vector>

#include "scenarios/format/draw_seed.hpp"
#include "scenarios/task/observables.hpp"
#include "scenarios/task/task.hpp"

namespace nodia {

/// Noise of one episode. Each sample is a function of the episode's DrawSeed, the name of the
/// observable, the control step and the component.
class Noise {
 public:
  /// @param observed  observables of task.observe
  Noise(const TaskDescription& task, const std::vector<Observable>& observed,
        const DrawSeed& drawn_by);

  /// Adds the noise of a control step to every component of an observation. Clips the sum to the
  /// bounds and normalises quaternions, with w >= 0.
  /// @param k       index of the observable
  /// @param n_step  number of completed control steps of the episode
  /// @param values  size() numbers of the observable; in: values without noise, out: with noise
  void add(int k, const Observable& observable, std::int64_t n_step, double* values) const;

 private:
  struct Source {
    double deviation;
    DrawStream stream;
  };
  std::vector<Source> sources_;  ///< by observable
};

}  // namespace nodia
