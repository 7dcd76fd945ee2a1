#include "host/scene/friction_table.hpp"

#include <algorithm>

#include "host/scene/objects.hpp"

namespace nodia {

FrictionTable::FrictionTable(const Scene& scene) {
  const Objects objects(scene);
  for (const SceneObject& object : objects.all()) own_.push_back(object.surface.friction);
  for (const PairFriction& pair : scene.friction_pairs)
    given_.push_back({std::minmax({objects.find(pair.body), objects.find(pair.obstacle)}),
                      {pair.friction_1, pair.friction_2, pair.axis}});
  std::stable_sort(given_.begin(), given_.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
}

ContactFriction FrictionTable::of(std::int32_t a, std::int32_t b) const {
  const Pair pair = std::minmax({a, b});
  const auto found =
      std::lower_bound(given_.begin(), given_.end(), pair,
                       [](const auto& entry, const Pair& key) { return entry.first < key; });
  if (found != given_.end() && found->first == pair) return found->second;
  const double larger =
      std::max(own_[static_cast<std::size_t>(a)], own_[static_cast<std::size_t>(b)]);
  return {larger, larger, {}};
}

}  // namespace nodia
