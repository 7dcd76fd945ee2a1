/// Random seed of a policy.
#pragma once

#include <cstdint>

#include "scenarios/build/scenario.hpp"

namespace nodia {

/// Seed of a stochastic policy in an episode: a hash of the episode's seed, number and attempt. An
/// episode has the same policy seed in every process; other episodes have other ones.
std::uint64_t policy_seed(const Scenario& episode);

}  // namespace nodia
