/// Pool of shared topologies.
#include "host/problem/topology_pool.hpp"

#include <cstring>

#include "kernels/core/content_hash.hpp"

namespace nodia {
namespace {

class Hash : public ContentHash {
 public:
  using ContentHash::add;
  void add(const std::vector<std::int32_t>& list) {
    for (const std::int32_t a : list) add(a, 0);
  }
  void add(const std::vector<Body>& bodies) {
    for (const Body& body : bodies) {
      add(static_cast<std::uint64_t>(body.kind));
      add(body.first_row, body.n_row);
    }
  }
  void add(const std::vector<Vec3d>& list) {
    for (const Vec3d& a : list) add(a);
  }
};

std::uint64_t hash_of(const Topology& topology) {
  Hash hash;
  hash.add(topology.pattern.row_begin);
  hash.add(topology.pattern.column);
  hash.add(topology.bodies);
  hash.add(topology.rest);
  return hash.value();
}

std::uint64_t hash_of(const TopologyRecipe& recipe) {
  Hash hash;
  for (const auto& [i, j] : recipe.couplings) hash.add(i, j);
  hash.add(recipe.bodies);
  hash.add(recipe.rest);
  return hash.value();
}

bool same(const TopologyRecipe& a, const TopologyRecipe& b) {
  return a.couplings == b.couplings && a.bodies == b.bodies && a.rest.size() == b.rest.size() &&
         (a.rest.empty() ||
          std::memcmp(a.rest.data(), b.rest.data(), a.rest.size() * sizeof(Vec3d)) == 0);
}

/// Entries of a hash, compared outside of the lock.
template <class Map>
auto candidates(const Map& map, std::uint64_t hash) {
  std::vector<typename Map::mapped_type> found;
  const auto [first, last] = map.equal_range(hash);
  for (auto entry = first; entry != last; ++entry) found.push_back(entry->second);
  return found;
}

std::int32_t row_count(const std::vector<Body>& bodies) {
  return bodies.empty() ? 0 : bodies.back().first_row + bodies.back().n_row;
}

}  // namespace

std::shared_ptr<const Topology> TopologyPool::shared(Topology topology) {
  const std::uint64_t hash = hash_of(topology);
  const std::lock_guard lock(mutex_);
  const auto [first, last] = by_content_.equal_range(hash);
  for (auto entry = first; entry != last; ++entry)
    if (*entry->second == topology) return entry->second;
  return by_content_.emplace(hash, std::make_shared<const Topology>(std::move(topology)))->second;
}

std::shared_ptr<const Topology> TopologyPool::shared(TopologyRecipe recipe) {
  const std::uint64_t hash = hash_of(recipe);
  std::vector<std::shared_ptr<const Made>> made;
  {
    const std::lock_guard lock(mutex_);
    made = candidates(by_recipe_, hash);
  }
  for (const auto& candidate : made)
    if (same(candidate->recipe, recipe)) return candidate->topology;
  std::shared_ptr<const Topology> topology = shared(
      make_topology(*BlockPattern::from_couplings(row_count(recipe.bodies), recipe.couplings),
                    recipe.bodies, recipe.rest));
  const std::lock_guard lock(mutex_);
  by_recipe_.emplace(hash, std::make_shared<const Made>(Made{std::move(recipe), topology}));
  return topology;
}

void TopologyPool::drop_unused() {
  const std::lock_guard lock(mutex_);
  // The two entries of a topology keep it alive.
  std::erase_if(by_recipe_,
                [](const auto& entry) { return entry.second->topology.use_count() <= 2; });
  std::erase_if(by_content_, [](const auto& entry) { return entry.second.use_count() <= 1; });
}

}  // namespace nodia
