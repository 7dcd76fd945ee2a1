/// Steps that a device may begin before the host has read the step before.
#pragma once

#include <functional>
#include <span>

#include "host/problem/obstacle_contacts.hpp"

namespace nodia {

/// Steps after the problem's step between which the caller neither reads nor commands anything.
/// Every environment is device-resident before and after the problem's step, frames of attachments
/// do not move, no attachment changes, and there are no external forces.
struct PrefetchedSteps {
  static constexpr int kMost = 3;  ///< more steps do not save time

  int count = 0;
  /// obstacles(k, env): ObstacleStep::obstacle in the k-th step, k >= 1. Valid until the next call
  /// for the environment. Several threads call it for different environments.
  std::function<std::span<const ObstacleMotion>(int k, int env)> obstacles = {};
};

}  // namespace nodia
