/// Shares the aggregates of a topology between all solvers.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "host/solvers/multigrid/aggregates.hpp"

namespace nodia {

/// Thread-safe: one thread makes the levels of a topology, other requests for the same topology
/// wait, and those for other topologies do not.
class AggregatePool {
 public:
  using Levels = std::shared_ptr<const std::vector<AggregateLevel>>;

  /// Levels of a topology from make_aggregates().
  Levels of(const std::shared_ptr<const Topology>& topology);

 private:
  struct Place {
    std::weak_ptr<const Topology> topology;
    std::mutex making;
    Levels levels;  ///< set once they are made
  };

  std::shared_ptr<Place> place_of(const std::shared_ptr<const Topology>& topology);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Place>> places_;
};

}  // namespace nodia
