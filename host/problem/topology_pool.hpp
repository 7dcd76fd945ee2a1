/// Pool that shares equal topologies between environments.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/problem/topology.hpp"

namespace nodia {

/// Input from which a topology is made.
struct TopologyRecipe {
  std::vector<std::pair<std::int32_t, std::int32_t>> couplings;  ///< in the form of from_couplings
  std::vector<Body> bodies;                                      ///< bodies of all rows
  std::vector<Vec3d> rest;                                       ///< empty if unknown
};

/// Topologies are equal if their content is equal bit for bit. Thread-safe.
class TopologyPool {
 public:
  /// Returns the stored topology that equals `topology`; stores it if there is none.
  std::shared_ptr<const Topology> shared(Topology topology);
  /// Returns the topology equal to the recipe's result; a known recipe costs one comparison.
  std::shared_ptr<const Topology> shared(TopologyRecipe recipe);
  /// Removes topologies that no caller uses.
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
