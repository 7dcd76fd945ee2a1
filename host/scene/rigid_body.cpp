#include "host/scene/rigid_body.hpp"

#include "kernels/core/error.hpp"

namespace nodia {

std::vector<PlacedShape> shapes_of(const RigidBodyDescription& body) {
  return {{body.shape, body.shape_pose, body.grid}};
}

Mat3d solid_inertia(const Shape& shape, double mass_kg) {
  const bool is_known = with_row(shape.kind, [](auto row) { return row.kHasIntegrals; });
  if (!is_known) throw InputError("inertia_kg_m2: missing (must be given for this shape)");
  const Vec3d i = with_row(shape.kind, [&](auto row) { return row.inertia(shape, mass_kg); });
  return {{{i.x, 0, 0}, {0, i.y, 0}, {0, 0, i.z}}};
}

}  // namespace nodia
