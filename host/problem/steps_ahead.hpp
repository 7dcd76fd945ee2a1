/// What is known of the steps that follow a problem's before it is solved.
#pragma once

#include <functional>
#include <span>

#include "host/problem/obstacle_contacts.hpp"

namespace nodia {

/// Of steps between which nobody asks for anything, nor commands anything, if all goes well: every
/// environment is left before and in the problem's step (SoftSource::is_left), frames of
/// attachments stay where they are, none takes hold or lets go, and nothing pushes.
struct StepsAhead {
  static constexpr int kMost = 3;  ///< more are of no use

  int count = 0;
  /// obstacles(k, env): ObstacleStep::obstacle of the k-th of them, counted from 1; until the
  /// environment is asked again. Called for several environments at once.
  std::function<std::span<const ObstacleMotion>(int k, int env)> obstacles = {};
};

}  // namespace nodia
