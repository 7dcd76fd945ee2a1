/// Dynamic rigid bodies of a scene.
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

/// A body of one frame, whatever its surface. The frame has its origin at the centre of mass.
struct RigidDescription {
  std::string name;
  double mass_kg = 1;  ///< > 0
  Mat3d inertia_kg_m2 =
      Mat3d::identity();           ///< about the centre of mass, body axes; see solid_inertia
  Pose pose;                       ///< at t = 0
  Vec3d velocity_m_s{};            ///< at t = 0
  Vec3d angular_velocity_rad_s{};  ///< at t = 0, world axes
  Vec3d force_N{};                 ///< on the centre of mass, world axes, all the time
  double friction = 0.3;           ///< [-], >= 0
  double restitution = 0;          ///< Newton's coefficient [-], in [0, 1]
};

struct RigidBodyDescription : RigidDescription {
  Shape shape;                               ///< bounded
  std::shared_ptr<const DistanceGrid> grid;  ///< owner of shape.grid's samples, where there is one
  Pose shape_pose;                           ///< of the shape's frame in the body's
};

/// Kinds of bodies of one frame; shapes_of() says what their surface is.
template <class Body>
concept RigidKind = std::derived_from<Body, RigidDescription>;

/// A shape on a body's frame.
struct PlacedShape {
  Shape shape;
  Pose pose;                                 ///< of the shape's frame in the body's
  std::shared_ptr<const DistanceGrid> grid;  ///< of a distance grid
};

/// The surface of a body, one or more.
std::vector<PlacedShape> shapes_of(const RigidBodyDescription& body);

}  // namespace nodia
