/// Friction of pairs of objects by their numbers, for lookups per contact.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Friction of a contact.
struct ContactFriction {
  double friction_1 = 0, friction_2 = 0;  ///< along t1, t2 of the contact frame [-]
  Vec3d axis{};                           ///< PairFriction::axis
};

/// Scene::friction_of() without names. Memory and set-up time grow with the objects and entries,
/// not with the pairs.
class FrictionTable {
 public:
  explicit FrictionTable(const Scene& scene);

  /// @param a, b  numbers of the objects (Objects)
  ContactFriction of(std::int32_t a, std::int32_t b) const;

 private:
  using Pair = std::pair<std::int32_t, std::int32_t>;

  std::vector<double> own_;                              ///< by object
  std::vector<std::pair<Pair, ContactFriction>> given_;  ///< entries by (lower, higher) object
};

}  // namespace nodia
