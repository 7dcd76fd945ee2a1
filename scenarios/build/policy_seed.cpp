#include "scenarios/build/policy_seed.hpp"

#include "kernels/core/content_hash.hpp"

namespace nodia {

std::uint64_t policy_seed(const Scenario& episode) {
  ContentHash hash;
  hash.add("task.policy");
  hash.add(episode.seed);
  return hash.value();
}

}  // namespace nodia
