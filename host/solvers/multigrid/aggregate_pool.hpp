/// Sharing of aggregates: made once for all solvers of problems of one topology.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "host/solvers/multigrid/aggregates.hpp"

namespace nodia {

/// May be asked by several threads at once.
class AggregatePool {
 public:
  using Levels = std::shared_ptr<const std::vector<AggregateLevel>>;

  /// That of all solvers.
  static AggregatePool* of_process();

  /// The levels of a topology, as make_aggregates() makes them.
  Levels of(const std::shared_ptr<const Topology>& topology);

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::weak_ptr<const Topology>, Levels>> made_;
};

}  // namespace nodia
