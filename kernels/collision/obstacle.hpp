/// Nodes near moving obstacles: the formulas for one obstacle and for one pair, host and device.
#pragma once

#include "kernels/contact/shapes.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/core/pack.hpp"
#include "kernels/core/pose.hpp"

namespace nodia {

/// An obstacle as the detection sees it in one step.
struct ObstaclePose {
  Shape shape;
  Pose now;   ///< at the start of the step
  Pose next;  ///< at its end
};

/// A node near an obstacle: what the kernels of the detection find.
struct NodeHit {
  std::int32_t node = 0;
  std::int32_t obstacle = 0;
  double gap_m = 0;          ///< signed distance now [m]
  Vec3d normal{};            ///< outward of the obstacle, world frame, unit
  Vec3d surface_velocity{};  ///< of the obstacle's material point under the node, mean over the
                             ///< step [m/s]
};

/// Who is near whom: of such a pair everything else is a function.
struct NodeAtObstacle {
  std::int32_t node = 0;
  std::int32_t obstacle = 0;
};

/// How far the detection looks.
struct DetectionReach {
  double margin_m = 0;  ///< [m]
  double step_s = 0;    ///< t [s]

  bool operator==(const DetectionReach&) const = default;
};

/// Velocity of a point at the start of a step, and the one that a step without contact would end
/// with: detection looks as far as either carries the point [m/s].
struct PointMotion {
  Vec3d now{}, free{};
};

NODIA_HD PointMotion operator-(const PointMotion& a, const PointMotion& b) {
  return {a.now - b.now, a.free - b.free};
}

/// Speed of a point along n, by the faster of its motions; 0 where it goes the other way or is not
/// a number, which is also the speed of what another contact stops [m/s].
NODIA_HD double speed_along(const PointMotion& v, Vec3d n) {
  return larger(dot(v.free, n), larger(dot(v.now, n), 0.0));
}

/// An obstacle with what is the same for all nodes in a step.
struct PreparedObstacle {
  Shape shape;
  Pose now;
  ShapeBounds bounds;
  double reach = 0;  ///< no node farther than this from the bounds can be near [m]
  bool moves = false;
  Vec3d shift{};  ///< surface velocity at the obstacle's origin [m/s]
  Mat3d turn;     ///< change of the rotation per time [1/s]

  /// Mean velocity over the step of the obstacle's material point q, obstacle's frame [m] -> world
  /// frame [m/s].
  NODIA_HD Vec3d surface_velocity(Vec3d q) const { return moves ? shift + turn * q : Vec3d{}; }

  /// Quick test: false where no node at x is near. In every lane of x.
  template <class P>
  NODIA_HD auto may_be_near(Vec3<P> x) const {
    return bounds.is_near(transpose_times(convert<P>(now.rotation), x - convert<P>(now.position)),
                          reach);
  }
};

/// @param largest_speed  of any node [m/s]
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

  // Bound of the surface's speed. The point under a node of a rotating half-space is anywhere, that
  // of a grid is approximate.
  const double radius = o.bounds.radius();
  double surface_speed = norm(o.shift);
  if (spin != 0) {
    surface_speed = has_feet(o.shape) ? surface_speed + spin * radius : HUGE_VAL;
  }
  // With room for rounding in the quick test: far above it, far below any margin.
  const double distance = reach.margin_m + 2 * reach.step_s * (largest_speed + surface_speed);
  o.reach = distance + 1e-12 * (distance + (radius < HUGE_VAL ? radius : 0));
  return o;
}

/// Distance that two points may close in a step [m]: twice what their relative velocity now makes
/// of it, and once what each alone, or both, may do without contact while something stops the
/// other.
/// @param relative  speed of approach now, @param own  sum of both points' own speeds towards the
///                  other in either motion [m/s]; where not a number, as 0
NODIA_HD double closing_distance(double step_s, double relative, double own) {
  return step_s * larger(own, larger(2 * relative, 0.0));
}

/// A node at x beside an obstacle: all of the pair but the indices.
NODIA_HD NodeHit hit_at(const PreparedObstacle& o, Vec3d x) {
  const Vec3d p = o.now.to_local(x);
  const SurfaceDistance surface = signed_distance(o.shape, p);
  NodeHit hit;
  hit.gap_m = surface.distance;
  hit.normal = o.now.rotation * surface.normal;
  hit.surface_velocity = o.surface_velocity(p - surface.distance * surface.normal);
  return hit;
}

/// Whether gap < margin + closing_distance, for a node that may_be_near; the obstacle moves on
/// whatever happens.
/// @param x       position of the node [m]
/// @param motion  motion() is its PointMotion; called where the gap alone does not decide
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

/// Square of the larger of a node's speeds PointMotion::now and ::free [m^2/s^2]; 0 where it is not
/// a number. In every lane.
template <class P>
NODIA_HD P squared_speed(Vec3<P> now, Vec3<P> free) {
  return larger(squared_norm(free), larger(squared_norm(now), P(0)));
}

}  // namespace nodia
