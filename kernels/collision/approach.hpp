/// How fast two bodies may come closer, and how far a search between them looks; host and device.
#pragma once

#include "kernels/collision/bounds.hpp"
#include "kernels/collision/obstacle.hpp"

namespace nodia {

/// What all surfaces have: where they are and how fast their points move.
struct BodyExtent {
  Bounds box;                  ///< around the triangles, axes or shape [m]
  Bounds velocities;           ///< around the motions of its points [m/s]
  double thickness = 0;        ///< of the surface around that [m]
  bool is_prescribed = false;  ///< nothing stops it
};

/// What carries a point now, and what would without contact; where that is not finite, now, and
/// where neither is, nothing.
NODIA_HD PointMotion finite_motion(Vec3d now, Vec3d free) {
  const Vec3d known = is_finite(now) ? now : Vec3d{};
  return {known, is_finite(free) ? free : known};
}

/// Bound of |u - w| over w in the box [m/s]; of |u| where it is empty.
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

/// Velocities that points of a body may have while something stops it.
NODIA_HD Bounds possible_velocities(const BodyExtent& body) {
  Bounds velocities = body.velocities;
  if (!body.is_prescribed) velocities.add(Vec3d{});
  return velocities;
}

/// Bound of the speed at which points approach each other [m/s] (closing_distance), of a point of i
/// with motion u and any of j; of any two.
NODIA_HD double approach_bound(const PointMotion& u, const BodyExtent& i, const BodyExtent& j) {
  const Bounds w = possible_velocities(j);
  const double speed = relative_speed(u, w);
  return i.is_prescribed ? speed : larger(relative_speed(Vec3d{}, w), speed);
}
NODIA_HD double approach_bound(const BodyExtent& i, const BodyExtent& j) {
  return relative_speed(possible_velocities(i), possible_velocities(j));
}

/// Farthest gap of a pair whose sides approach at `speed` [m].
NODIA_HD double farthest_gap(DetectionReach reach, double speed) {
  return reach.margin_m + 2 * reach.step_s * speed;
}

/// Whether points of two bodies can be in pairs, by their boxes.
NODIA_HD bool may_meet(const BodyExtent& a, const BodyExtent& b, DetectionReach reach) {
  const double far =
      reach.margin_m + a.thickness + b.thickness + 2 * reach.step_s * approach_bound(a, b);
  return !a.box.is_empty() && !b.box.is_empty() && a.box.grown(far).overlaps(b.box);
}

/// Who the two points of a pair belong to.
struct PairSides {
  bool is_one_body = false;
  bool i_is_prescribed = false, j_is_prescribed = false;
};

/// Whether gap < margin + closing_distance, of points with a normal from j to i. In a body itself
/// the relative motion counts; something may stop any other that is not prescribed.
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
