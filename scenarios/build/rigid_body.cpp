#include "scenarios/build/rigid_body.hpp"

#include "kernels/elements/rigid_body.hpp"
#include "scenarios/build/located_errors.hpp"

namespace nodia {
namespace {

Mat3d inertia_matrix(const std::vector<double>& i) {
  if (i.size() == 3) return {{{i[0], 0, 0}, {0, i[1], 0}, {0, 0, i[2]}}};
  return {{{i[0], i[3], i[4]}, {i[3], i[1], i[5]}, {i[4], i[5], i[2]}}};
}

RigidBodyDescription made(const RigidBodyEntry& entry, BuildContext* context) {
  RigidBodyDescription body;
  set_motion(entry, &body);
  body.shape = shape_of(entry.shape, context->files, &body.grid);
  body.shape_pose = pose_of(entry.shape_position_m, entry.shape_orientation_wxyz);
  const SolidIntegrals solid = integrals_of(entry.shape, body.shape, context->files);
  const double density = entry.mass_kg ? *entry.mass_kg / solid.volume_m3
                                       : entry.density_kg_m3.value_or(kDefaultDensity);
  body.mass_kg = entry.mass_kg.value_or(density * solid.volume_m3);
  if (entry.inertia_kg_m2) {
    body.inertia_kg_m2 = inertia_matrix(*entry.inertia_kg_m2);
  } else {
    body.inertia_kg_m2 = world_inertia(body.shape_pose.rotation, density * solid.inertia_m5);
    const Vec3d origin = body.shape_pose.to_world(solid.centre_m);
    context->origins[entry.name] = origin;
    body.shape_pose.position -= origin;
    body.pose.position = body.pose.to_world(origin);
  }
  return body;
}

}  // namespace

void set_motion(const MotionEntry& entry, RigidDescription* body) {
  body->name = entry.name;
  body->pose = pose_of(entry.position_m, entry.orientation_wxyz);
  body->velocity_m_s = entry.velocity_m_s;
  body->angular_velocity_rad_s = entry.angular_velocity_rad_s;
  body->force_N = entry.force_N;
  body->friction = entry.friction;
  body->restitution = entry.restitution;
}

RigidBodyDescription description_of(const RigidBodyEntry& entry, BuildContext* context) {
  return named_errors(context->root, fmt::format("rigid_bodies.{}.shape", entry.name),
                      [&] { return made(entry, context); });
}

}  // namespace nodia
