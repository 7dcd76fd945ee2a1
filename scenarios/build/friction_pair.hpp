/// Friction of pairs of a scenario.
#pragma once

#include <optional>
#include <string>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct FrictionPairEntry {
  std::string body, obstacle;
  std::optional<double> friction, friction_1, friction_2;
  Vec3d axis{};
};

inline void visit_keys(DocumentVisitor& v, FrictionPairEntry& p) {
  v.text({"body", "name of a body", "", true}, p.body);
  v.text({"obstacle", "name of an obstacle or another body", "", true}, p.obstacle);
  visit_pair_friction(v, p.friction, p.friction_1, p.friction_2);
  v.vector({"axis",
            "world direction whose part in the contact plane is t1; zero: chosen from the normal"},
           p.axis, Range::any());
}

inline PairFriction pair_friction_of(const FrictionPairEntry& entry) {
  const double both = entry.friction.value_or(0);
  return {entry.body, entry.obstacle, entry.friction_1.value_or(both),
          entry.friction_2.value_or(both), entry.axis};
}

}  // namespace nodia
