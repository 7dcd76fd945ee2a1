/// Rigid bodies for scenes of tests.
#pragma once

#include <memory>
#include <string>

#include "fem/mesh/solid_integrals.hpp"
#include "host/scene/scene.hpp"

namespace nodia::test {

inline RigidBodyDescription rigid_shape(const std::string& name, const Shape& shape, double mass_kg,
                                        Vec3d position) {
  RigidBodyDescription body;
  body.name = name;
  body.shape = shape;
  body.mass_kg = mass_kg;
  body.inertia_kg_m2 = solid_inertia(shape, mass_kg);
  body.pose.position = position;
  return body;
}

inline RigidBodyDescription rigid_box(const std::string& name, Vec3d size, double mass_kg,
                                      Vec3d position) {
  return rigid_shape(name, {ShapeKind::box, size, 0, 0, {}}, mass_kg, position);
}

/// A homogeneous closed mesh with its centre of mass at `position`.
inline RigidBodyDescription rigid_mesh(const std::string& name, const TriangleMesh& mesh,
                                       double density_kg_m3, Vec3d position) {
  const SolidIntegrals solid = solid_integrals(mesh, name);
  RigidBodyDescription body;
  body.name = name;
  body.grid = std::make_shared<const DistanceGrid>(mesh, default_grid_spacing(mesh));
  body.shape = {ShapeKind::distance_grid, {}, 0, 0, body.grid->view()};
  body.shape_pose.position = -solid.centre_m;
  body.mass_kg = density_kg_m3 * solid.volume_m3;
  body.inertia_kg_m2 = density_kg_m3 * solid.inertia_m5;
  body.pose.position = position;
  return body;
}

}  // namespace nodia::test
