#include "scenarios/build/soft_body.hpp"

#include "scenarios/build/located_errors.hpp"

namespace nodia {

SoftBodyDescription description_of(const BodyEntry& entry, BuildContext* context) {
  SoftBodyDescription body;
  const std::string path = fmt::format("bodies.{}.mesh", entry.name);
  body.name = entry.name;
  body.mesh =
      named_errors(context->root, path, [&] { return mesh_of(entry.mesh, context->files); });
  body.material = entry.material;
  body.pose = {entry.position_m, rotation_matrix(normalized(entry.orientation_wxyz))};
  body.velocity = entry.velocity_m_s;
  body.friction = entry.friction;
  body.self_contact = entry.self_contact;
  body.thickness_m = entry.thickness_m;
  return body;
}

}  // namespace nodia
