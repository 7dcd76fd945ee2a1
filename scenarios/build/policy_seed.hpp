/// The chances of a policy.
#pragma once

#include <cstdint>

#include "scenarios/build/scenario.hpp"

namespace nodia {

/// What a policy with chances begins an episode with: the same whenever and wherever this episode
/// is drawn, another number of every other episode.
std::uint64_t policy_seed(const Scenario& episode);

}  // namespace nodia
