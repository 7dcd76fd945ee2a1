/// Soft bodies of a scenario.
#pragma once

#include <string>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/build_context.hpp"
#include "scenarios/build/mesh.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct BodyEntry {
  std::string name;
  MeshSource mesh;
  Material material;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  Vec3d velocity_m_s{};
  double friction = SoftBodyDescription{}.friction;
  bool self_contact = SoftBodyDescription{}.self_contact;
  double thickness_m = SoftBodyDescription{}.thickness_m;
};

inline void visit_keys(DocumentVisitor& v, BodyEntry& b) {
  v.group({"mesh", "rest shape", "give file, box, mat or ball", true}, b.mesh);
  visit_keys(v, b.material);
  v.vector({"position_m", "of the mesh's origin at the start [m]"}, b.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the mesh at the start, unit quaternion",
                "[1, 0, 0, 0] is no rotation"},
               b.orientation_wxyz);
  v.vector({"velocity_m_s", "at the start [m/s]"}, b.velocity_m_s, Range::any());
  visit_friction(v, b.friction);
  v.boolean({"self_contact", "contact of the body with itself"}, b.self_contact);
  visit_thickness(v, b.thickness_m);
}

SoftBodyDescription description_of(const BodyEntry& entry, BuildContext* context);

}  // namespace nodia
