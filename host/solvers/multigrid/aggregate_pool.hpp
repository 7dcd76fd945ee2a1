/// Sharing of aggregates: made once for all solvers of problems of one topology.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "host/solvers/multigrid/aggregates.hpp"

namespace nodia {

/// May be asked by several threads at once: one makes the levels of a topology, others that ask for
/// the same wait for it, and those of other topologies do not.
class AggregatePool {
 public:
  using Levels = std::shared_ptr<const std::vector<AggregateLevel>>;

  /// The levels of a topology, as make_aggregates() makes them.
  Levels of(const std::shared_ptr<const Topology>& topology);

 private:
  struct Place {
    std::weak_ptr<const Topology> topology;
    std::mutex making;
    Levels levels;  ///< once made
  };

  std::shared_ptr<Place> place_of(const std::shared_ptr<const Topology>& topology);

  std::mutex mutex_;
  std::vector<std::shared_ptr<Place>> places_;
};

}  // namespace nodia
