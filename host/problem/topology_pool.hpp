/// Sharing of equal topologies: one object for as many environments as have it.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/problem/topology.hpp"

namespace nodia {

/// What a topology is made from.
struct TopologyRecipe {
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;  ///< as from_couplings takes them
  std::vector<Body> bodies;                                      ///< of all rows
  std::vector<Vec3d> rest;                                       ///< or empty
};

/// Equal means the same content, bit for bit. May be asked by several threads at once.
class TopologyPool {
 public:
  /// The one that is equal to `topology`: it, where there is none yet.
  std::shared_ptr<const Topology> shared(Topology topology);
  /// The one that is equal to what the recipe makes; a recipe that came before costs a comparison.
  std::shared_ptr<const Topology> shared(TopologyRecipe recipe);
  /// Drops those that nobody holds any more.
  void drop_unused();

 private:
  struct Made {
    TopologyRecipe recipe;
    std::shared_ptr<const Topology> topology;
  };

  std::mutex mutex_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const Topology>> by_content_;
  std::unordered_multimap<std::uint64_t, std::shared_ptr<const Made>> by_recipe_;
};

}  // namespace nodia
