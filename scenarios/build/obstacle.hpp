/// Obstacles of a scenario.
#pragma once

#include <string>
#include <vector>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/build_context.hpp"
#include "scenarios/build/path.hpp"
#include "scenarios/build/shape.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct ObstacleEntry {
  std::string name;
  ShapeEntry shape;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<PathEntry> path;
  PathProfile ease = Path{}.profile;
  double friction = ObstacleDescription{}.friction;
  double restitution = ObstacleDescription{}.restitution;
};

inline void visit_keys(DocumentVisitor& v, ObstacleEntry& o) {
  static const std::string place = place_of(AllShapes{});
  v.tagged({"shape", place.c_str(), "", true}, o.shape);
  v.vector({"position_m", "of its frame [m]"}, o.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of its frame, unit quaternion", "[1, 0, 0, 0] is no rotation"},
               o.orientation_wxyz);
  v.list({"path", "keyframes of its frame; at rest before and behind"}, o.path);
  visit_ease(v, o.ease);
  visit_friction(v, o.friction);
  visit_restitution(v, o.restitution);
}

ObstacleDescription description_of(const ObstacleEntry& entry, BuildContext* context);

}  // namespace nodia
