/// Approach speed of two bodies and the reach of a search between them; host and device.
#pragma once

#include "kernels/collision/bounds.hpp"
#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// Extent of a surface and velocities of its points.
struct BodyExtent {
  Bounds box;            ///< box of the triangles, axes or shape [m]
  Bounds velocities;     ///< box of the motions of its points [m/s]
  double thickness = 0;  ///< thickness of the surface outside its triangles, axes or shape [m]
  bool is_prescribed = false;  ///< no force changes its motion
};

/// Motion of a point, present and without contact. A non-finite motion without contact is replaced
/// by the present one, a non-finite present one by zero.
NODIA_HD PointMotion finite_motion(Vec3d now, Vec3d free) {
  const Vec3d known = is_finite(now) ? now : Vec3d{};
  return {known, is_finite(free) ? free : known};
}

/// Bound of |u - w| over w in the box [m/s]; |u| if the box is empty.
NODIA_HD double relative_speed(Vec3d u, const Bounds& w) {
  if (w.is_empty()) return norm(u);
  return norm(Vec3d{larger(w.hi.x - u.x, u.x - w.lo.x), larger(w.hi.y - u.y, u.y - w.lo.y),
                    larger(w.hi.z - u.z, u.z - w.lo.z)});
}
NODIA_HD double relative_speed(const PointMotion& u, const Bounds& w) {
  return larger(relative_speed(u.free, w), relative_speed(u.now, w));
}
NODIA_HD double relative_speed(const Bounds& a, const Bounds& b) {
  if (a.is_empty() || b.is_empty()) return 0;
  return norm(greatest(a.hi - b.lo, b.hi - a.lo));
}

/// Velocities that a body's points may have; zero is included if a contact may stop the body.
NODIA_HD Bounds possible_velocities(const BodyExtent& body) {
  Bounds velocities = body.velocities;
  if (!body.is_prescribed) velocities.add(Vec3d{});
  return velocities;
}

/// Bound of the approach speed (see closing_distance) of a point of i with motion u and any point
/// of j, or of any two points [m/s].
NODIA_HD double approach_bound(const PointMotion& u, const BodyExtent& i, const BodyExtent& j) {
  const Bounds w = possible_velocities(j);
  const double speed = relative_speed(u, w);
  return i.is_prescribed ? speed : larger(relative_speed(Vec3d{}, w), speed);
}
NODIA_HD double approach_bound(const BodyExtent& i, const BodyExtent& j) {
  return relative_speed(possible_velocities(i), possible_velocities(j));
}

/// Largest gap of a pair whose sides approach at `speed` [m].
NODIA_HD double farthest_gap(DetectionReach reach, double speed) {
  return reach.margin_m + 2 * reach.step_s * speed;
}

/// True if points of two bodies may form pairs, according to their boxes.
NODIA_HD bool may_collide(const BodyExtent& a, const BodyExtent& b, DetectionReach reach) {
  const double far =
      reach.margin_m + a.thickness + b.thickness + 2 * reach.step_s * approach_bound(a, b);
  return !a.box.is_empty() && !b.box.is_empty() && a.box.grown(far).overlaps(b.box);
}

/// Bodies of the two points of a pair.
struct PairSides {
  bool is_one_body = false;
  bool i_is_prescribed = false, j_is_prescribed = false;
};

/// True if gap < margin + closing_distance for points with a normal from j to i. Self-contact uses
/// the relative motion; contacts may stop any other body that is not prescribed.
NODIA_HD bool is_within_reach(double gap, Vec3d normal, const PointMotion& v_i,
                              const PointMotion& v_j, PairSides sides, DetectionReach reach) {
  const double relative = -dot(v_i.now - v_j.now, normal);
  double own = 0;
  if (sides.is_one_body)
    own = speed_along(v_i - v_j, -normal);
  else
    own = (sides.i_is_prescribed ? -dot(v_i.now, normal) : speed_along(v_i, -normal)) +
          (sides.j_is_prescribed ? dot(v_j.now, normal) : speed_along(v_j, normal));
  return gap < reach.margin_m + closing_distance(reach.step_s, relative, own);
}

}  // namespace nodia
