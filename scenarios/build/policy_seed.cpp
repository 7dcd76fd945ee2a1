#include "scenarios/build/policy_seed.hpp"

#include "kernels/core/content_hash.hpp"

namespace nodia {

std::uint64_t policy_seed(const Scenario& episode) {
  ContentHash hash;
  hash.add("task.policy");
  hash.add(episode.drawn_by.seed);
  hash.add(episode.drawn_by.episode);
  hash.add(std::uint64_t{episode.drawn_by.attempt});
  return hash.value();
}

}  // namespace nodia
