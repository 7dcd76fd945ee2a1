#include "host/scene/friction_table.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "host/scene/touching_pairs.hpp"

namespace nodia {

FrictionTable::FrictionTable(const Scene& scene) {
  const auto add = [&](const auto& objects) {
    for (const auto& object : objects) own_.push_back(object.friction);
  };
  add(scene.soft_bodies);
  add(scene.rigid_bodies);
  add(scene.cables);
  add(scene.robots);
  add(scene.obstacles);
  if (scene.friction_pairs.empty()) return;
  const ObjectNumbers objects(scene);
  std::unordered_map<std::string, std::int32_t> number;
  for (std::int32_t k = 0; k < objects.size(); ++k)
    number.emplace(objects.name[static_cast<std::size_t>(k)], k);
  for (const PairFriction& pair : scene.friction_pairs)
    given_.push_back({std::minmax({number.at(pair.body), number.at(pair.obstacle)}),
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
