#include "host/solvers/multigrid/aggregate_pool.hpp"

namespace nodia {

AggregatePool::Levels AggregatePool::of(const std::shared_ptr<const Topology>& topology) {
  const std::shared_ptr<Place> place = place_of(topology);
  const std::lock_guard lock(place->making);
  if (!place->levels)
    place->levels = std::make_shared<const std::vector<AggregateLevel>>(make_aggregates(*topology));
  return place->levels;
}

std::shared_ptr<AggregatePool::Place> AggregatePool::place_of(
    const std::shared_ptr<const Topology>& topology) {
  const std::lock_guard lock(mutex_);
  for (const auto& place : places_)
    if (place->topology.lock() == topology) return place;
  std::erase_if(places_, [](const auto& place) { return place->topology.expired(); });
  places_.push_back(std::make_shared<Place>());
  places_.back()->topology = topology;
  return places_.back();
}

}  // namespace nodia
