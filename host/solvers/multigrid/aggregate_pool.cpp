#include "host/solvers/multigrid/aggregate_pool.hpp"

#include <algorithm>

namespace nodia {

AggregatePool* AggregatePool::of_process() {
  static AggregatePool pool;
  return &pool;
}

AggregatePool::Levels AggregatePool::of(const std::shared_ptr<const Topology>& topology) {
  const std::lock_guard lock(mutex_);
  for (const auto& [made_of, levels] : made_)
    if (made_of.lock() == topology) return levels;
  std::erase_if(made_, [](const auto& made) { return made.first.expired(); });
  Levels levels = std::make_shared<const std::vector<AggregateLevel>>(make_aggregates(*topology));
  made_.emplace_back(topology, levels);
  return levels;
}

}  // namespace nodia
