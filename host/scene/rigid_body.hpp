/// Rigid bodies of a scene.
#pragma once

#include <concepts>
#include <memory>
#include <string>
#include <vector>

#include "fem/mesh/solid_integrals.hpp"
#include "host/collision/distance_grid.hpp"
#include "kernels/contact/shapes.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

/// A body with one frame and any surface. The origin of the frame is the centre of mass.
struct RigidDescription {
  std::string name;
  double mass_kg = 1;  ///< > 0
  Mat3d inertia_kg_m2 =
      Mat3d::identity();           ///< about the centre of mass, body axes; see solid_inertia
  Pose pose;                       ///< at t = 0
  Vec3d velocity_m_s{};            ///< at t = 0
  Vec3d angular_velocity_rad_s{};  ///< at t = 0, world axes
  Vec3d force_N{};                 ///< on the centre of mass, world axes, constant
  double friction = 0.3;           ///< [-], >= 0
  double restitution = 0;          ///< Newton's coefficient [-], in [0, 1]
};

struct RigidBodyDescription : RigidDescription {
  Shape shape;                               ///< bounded
  std::shared_ptr<const DistanceGrid> grid;  ///< owner of shape.grid's samples, if it has any
  Pose shape_pose;                           ///< pose of the shape's frame in the body's
};

/// True for bodies with one frame; shapes_of() returns their surface.
template <class Body>
concept RigidKind = std::derived_from<Body, RigidDescription>;

/// A shape with its pose in a body's frame.
struct PlacedShape {
  Shape shape;
  Pose pose;                                 ///< pose of the shape's frame in the body's
  std::shared_ptr<const DistanceGrid> grid;  ///< owner of a distance grid's samples
};

/// Surface of a body: one shape or several.
std::vector<PlacedShape> shapes_of(const RigidBodyDescription& body);

}  // namespace nodia
