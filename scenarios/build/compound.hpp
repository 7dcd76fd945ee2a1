/// Compounds of a scenario: rigid bodies with several parts.
#pragma once

#include <string>
#include <vector>

#include "scenarios/build/rigid_body.hpp"

namespace nodia {

struct PartEntry {
  std::string name;
  SizedEntry shape;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  double density_kg_m3 = CompoundPart{}.density_kg_m3;
};

inline void visit_keys(DocumentVisitor& v, PartEntry& p) {
  static const std::string place = place_of(SizedSolids{});
  v.tagged({"shape", place.c_str(), "", true}, p.shape);
  v.vector({"position_m", "of the part's origin in the compound's frame [m]"}, p.position_m,
           Range::any());
  v.quaternion({"orientation_wxyz", "of the part in the compound's frame, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               p.orientation_wxyz);
  v.real(
      {"density_kg_m3", "of the part; where parts overlap both count [kg/m^3]", "water has 1000"},
      p.density_kg_m3, Range::positive());
}

struct CompoundEntry : MotionEntry {
  std::vector<PartEntry> parts;
};

inline void visit_keys(DocumentVisitor& v, CompoundEntry& c) {
  v.named({"parts",
           "that do not move against each other, by name; mass and inertia are theirs, and the "
           "frame's origin moves to their centre of mass",
           "", true},
          c.parts);
  visit_motion(v, c);
}

inline CompoundDescription description_of(const CompoundEntry& entry, BuildContext* context) {
  CompoundDescription compound;
  set_motion(entry, &compound);
  for (const PartEntry& part : entry.parts) {
    PlacedShape placed;
    placed.shape = std::visit([](const auto& sized) { return sized.shape; }, part.shape);
    placed.pose = pose_of(part.position_m, part.orientation_wxyz);
    compound.parts.push_back({part.name, placed, part.density_kg_m3});
  }
  if (!compound.parts.empty()) context->origins[entry.name] = set_inertia(&compound);
  return compound;
}

}  // namespace nodia
