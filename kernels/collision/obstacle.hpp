/// Nodes near moving obstacles: the formulas for one obstacle and for one pair, host and device.
#pragma once

#include "kernels/contact/shapes.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/core/pack.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

/// Obstacle of the detection in one step.
struct ObstaclePose {
  Shape shape;
  Pose now;   ///< at the start of the step
  Pose next;  ///< at the end of the step
};

/// Node near an obstacle, as the detection kernels report it.
struct NodeHit {
  std::int32_t node = 0;
  std::int32_t obstacle = 0;
  double gap_m = 0;          ///< signed distance now [m]
  Vec3d normal{};            ///< outward unit normal of the obstacle, world frame
  Vec3d surface_velocity{};  ///< mean velocity of the obstacle's material point [m/s]
};

/// Indices of a near pair; they determine all its other data.
struct NodeAtObstacle {
  std::int32_t node = 0;
  std::int32_t obstacle = 0;
};

/// Reach of the detection.
struct DetectionReach {
  double margin_m = 0;  ///< [m]
  double step_s = 0;    ///< duration of the step [s]

  bool operator==(const DetectionReach&) const = default;
};

/// Velocity of a point at the start of a step, and at the end of a step without contact [m/s]. The
/// reach of the detection covers both.
struct PointMotion {
  Vec3d now{}, free{};
};

NODIA_HD PointMotion operator-(const PointMotion& a, const PointMotion& b) {
  return {a.now - b.now, a.free - b.free};
}

/// Speed of a point along n, for the faster of its motions; 0 if it is negative or NaN, because
/// another contact may stop the point [m/s].
NODIA_HD double speed_along(const PointMotion& v, Vec3d n) {
  return larger(dot(v.free, n), larger(dot(v.now, n), 0.0));
}

/// Obstacle with the data that all nodes of a step share.
struct PreparedObstacle {
  Shape shape;
  Pose now;
  ShapeBounds bounds;
  double reach = 0;  ///< no node farther than this from the bounds is near [m]
  bool moves = false;
  Vec3d shift{};  ///< surface velocity at the obstacle's origin [m/s]
  Mat3d turn;     ///< rate of change of the rotation [1/s]

  /// Mean velocity in the step of the material point q, obstacle's frame [m] -> world frame [m/s].
  NODIA_HD Vec3d surface_velocity(Vec3d q) const { return moves ? shift + turn * q : Vec3d{}; }

  /// Quick test per lane: false if no node at x is near.
  template <class P>
  NODIA_HD auto may_be_near(Vec3<P> x) const {
    return bounds.is_near(transpose_times(convert<P>(now.rotation), x - convert<P>(now.position)),
                          reach);
  }
};

/// @param largest_speed  largest speed of a node [m/s]
NODIA_HD PreparedObstacle prepare_obstacle(const ObstaclePose& obstacle, double largest_speed,
                                           DetectionReach reach) {
  PreparedObstacle o;
  o.shape = obstacle.shape;
  o.now = obstacle.now;
  o.bounds = bounds_of(obstacle.shape);
  o.shift = (1 / reach.step_s) * (obstacle.next.position - obstacle.now.position);
  o.turn = (1 / reach.step_s) * (obstacle.next.rotation - obstacle.now.rotation);
  const double spin = std::sqrt(squared_norm(o.turn.row[0]) + squared_norm(o.turn.row[1]) +
                                squared_norm(o.turn.row[2]));
  o.moves = norm(o.shift) != 0 || spin != 0;

  // Bound of the surface's speed. The material point under a node is unbounded for a rotating
  // half-space, and approximate for a grid.
  const double radius = o.bounds.radius();
  double surface_speed = norm(o.shift);
  if (spin != 0) {
    surface_speed = has_feet(o.shape) ? surface_speed + spin * radius : HUGE_VAL;
  }
  // The tolerance is far above the rounding of the quick test and far below any margin.
  const double distance = reach.margin_m + 2 * reach.step_s * (largest_speed + surface_speed);
  o.reach = distance + 1e-12 * (distance + (radius < HUGE_VAL ? radius : 0));
  return o;
}

/// Motion bound of two points in a step [m]: twice the present approach, or the full approach that
/// either point or both may make without contact if a contact stops the other.
/// @param relative  present approach speed, @param own  sum of both points' own speeds towards the
///                  other in either motion [m/s]; NaN counts as 0
NODIA_HD double closing_distance(double step_s, double relative, double own) {
  return step_s * larger(own, larger(2 * relative, 0.0));
}

/// Contact data of a node at x and an obstacle, without the indices.
NODIA_HD NodeHit hit_at(const PreparedObstacle& o, Vec3d x) {
  const Vec3d p = o.now.to_local(x);
  const SurfaceDistance surface = signed_distance(o.shape, p, o.reach);
  NodeHit hit;
  hit.gap_m = surface.distance;
  hit.normal = o.now.rotation * surface.normal;
  hit.surface_velocity = o.surface_velocity(p - surface.distance * surface.normal);
  return hit;
}

/// True if gap < margin + closing_distance, for a node with may_be_near. Contacts do not stop the
/// obstacle.
/// @param x       position of the node [m]
/// @param motion  motion() is its PointMotion; called only if the gap alone does not decide
template <class Motion>
NODIA_HD bool is_near(const PreparedObstacle& o, Vec3d x, DetectionReach reach,
                      const Motion& motion) {
  const NodeHit hit = hit_at(o, x);
  if (hit.gap_m < reach.margin_m) return true;
  const Vec3d n = hit.normal;
  const PointMotion v = motion();
  const double relative = -dot(v.now - hit.surface_velocity, n);
  const double own = dot(hit.surface_velocity, n) + speed_along(v, -n);
  return hit.gap_m < reach.margin_m + closing_distance(reach.step_s, relative, own);
}

/// Square of the larger speed of PointMotion::now and ::free, per lane [m^2/s^2]; 0 for NaN.
template <class P>
NODIA_HD P squared_speed(Vec3<P> now, Vec3<P> free) {
  return larger(squared_norm(free), larger(squared_norm(now), P(0)));
}

}  // namespace nodia
