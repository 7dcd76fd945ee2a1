/// Spatial vectors and inertias (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 2) in
/// world axes about one fixed point O, the same for all bodies of a tree, so that they add without
/// transforms.
#pragma once

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Velocity or acceleration of a rigid body, or the axis of a joint per unit of its speed.
struct SpatialMotion {
  Vec3d angular{};  ///< [rad/s]
  Vec3d linear{};   ///< velocity of the body's point that is at O [m/s]
};

/// Force on a rigid body.
struct SpatialForce {
  Vec3d moment{};  ///< moment about O [N m]
  Vec3d force{};   ///< [N]
};

NODIA_HD SpatialMotion operator+(const SpatialMotion& a, const SpatialMotion& b) {
  return {a.angular + b.angular, a.linear + b.linear};
}
NODIA_HD SpatialMotion operator*(double s, const SpatialMotion& a) {
  return {s * a.angular, s * a.linear};
}
NODIA_HD SpatialForce operator+(const SpatialForce& a, const SpatialForce& b) {
  return {a.moment + b.moment, a.force + b.force};
}
NODIA_HD SpatialForce operator*(double s, const SpatialForce& f) {
  return {s * f.moment, s * f.force};
}
/// Power of a force with a motion [W].
NODIA_HD double dot(const SpatialMotion& m, const SpatialForce& f) {
  return dot(m.angular, f.moment) + dot(m.linear, f.force);
}
/// Rate of change of a motion m that the motion v carries.
NODIA_HD SpatialMotion cross(const SpatialMotion& v, const SpatialMotion& m) {
  return {cross(v.angular, m.angular), cross(v.angular, m.linear) + cross(v.linear, m.angular)};
}
/// Rate of change of a force f that the motion v carries.
NODIA_HD SpatialForce cross(const SpatialMotion& v, const SpatialForce& f) {
  return {cross(v.angular, f.moment) + cross(v.linear, f.force), cross(v.angular, f.force)};
}
/// Velocity of the point at `arm` from O [m/s].
NODIA_HD Vec3d velocity_at(const SpatialMotion& m, Vec3d arm) {
  return m.linear + cross(m.angular, arm);
}

/// Mass properties in a body's own frame.
struct RigidInertia {
  double mass = 0;   ///< mass [kg]
  Vec3d centre{};    ///< centre of mass [m]
  Mat3d rotation{};  ///< inertia about the centre of mass, axes of the body's frame [kg m^2]
};

/// Inertia in world axes about O.
struct SpatialInertia {
  double mass = 0;       ///< mass [kg]
  Vec3d first_moment{};  ///< mass times the arm from O to the centre [kg m]
  Mat3d rotation{};      ///< inertia about O [kg m^2]
};

NODIA_HD SpatialInertia operator+(const SpatialInertia& a, const SpatialInertia& b) {
  return {a.mass + b.mass, a.first_moment + b.first_moment, a.rotation + b.rotation};
}
/// Momentum of a body with the velocity v, or the force that gives it the acceleration v.
NODIA_HD SpatialForce operator*(const SpatialInertia& inertia, const SpatialMotion& v) {
  return {inertia.rotation * v.angular + cross(inertia.first_moment, v.linear),
          inertia.mass * v.linear - cross(inertia.first_moment, v.angular)};
}

/// m (|r|^2 I - r r^T): inertia about O of a point mass at the arm r.
NODIA_HD Mat3d point_inertia(double mass, Vec3d r) {
  return mass * (dot(r, r) * Mat3d::identity() - outer(r, r));
}

/// Inertia of a body in world axes about O.
/// @param R    rotation of the body's frame
/// @param arm  from O to the origin of the body's frame [m]
NODIA_HD SpatialInertia to_world(const RigidInertia& body, const Mat3d& R, Vec3d arm) {
  const Vec3d r = arm + R * body.centre;
  return {body.mass, body.mass * r, R * body.rotation * transpose(R) + point_inertia(body.mass, r)};
}

}  // namespace nodia
