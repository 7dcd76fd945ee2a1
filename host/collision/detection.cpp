#include "host/collision/detection.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/launch.hpp"

namespace nodia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Axis-aligned box in a shape's frame [m]. The distance to it is never larger than the signed
/// distance to the shape.
struct Bounds {
  Vec3d lo, hi;

  /// Whether p is less than `reach` away, rounding errors granted; false for a point that is not a
  /// number.
  bool is_near(Vec3d p, double reach) const {
    return p.x >= lo.x - reach && p.x <= hi.x + reach && p.y >= lo.y - reach &&
           p.y <= hi.y + reach && p.z >= lo.z - reach && p.z <= hi.z + reach;
  }
  /// Largest distance of one of its points to the origin [m].
  double radius() const {
    return norm(Vec3d{std::max(-lo.x, hi.x), std::max(-lo.y, hi.y), std::max(-lo.z, hi.z)});
  }
};

Bounds bounds_of(const Shape& shape) {
  const auto about_origin = [](Vec3d half) { return Bounds{-half, half}; };
  const double r = shape.radius;
  switch (shape.kind) {
    case ShapeKind::half_space:
      return {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, 0}};
    case ShapeKind::box:
      return about_origin(0.5 * shape.size);
    case ShapeKind::sphere:
      return about_origin({r, r, r});
    case ShapeKind::cylinder:
      return about_origin({r, r, 0.5 * shape.length});
    case ShapeKind::capsule:
      return about_origin({r, r, 0.5 * shape.length + r});
    case ShapeKind::distance_grid: {
      const DistanceGridView& g = shape.grid;
      const Vec3d extent{g.spacing * (g.n[0] - 1), g.spacing * (g.n[1] - 1),
                         g.spacing * (g.n[2] - 1)};
      return {g.origin, g.origin + extent};
    }
  }
  return {};
}

/// Room for rounding in the quick test: far above it, far below any margin.
double with_slack(double reach, const Bounds& bounds) {
  const double radius = bounds.radius();
  return reach + 1e-12 * (reach + (std::isfinite(radius) ? radius : 0));
}

double frobenius_norm(const Mat3d& m) {
  return std::sqrt(squared_norm(m.row[0]) + squared_norm(m.row[1]) + squared_norm(m.row[2]));
}

/// An obstacle with what is the same for all nodes in a step.
struct PreparedObstacle {
  Shape shape;
  Pose now;
  Bounds bounds;
  double reach = 0;  ///< no node farther than this from the bounds can be near [m]
  bool moves = false;
  Vec3d shift{};  ///< surface velocity at the obstacle's origin [m/s]
  Mat3d turn;     ///< change of the rotation per time [1/s]

  /// Mean velocity over the step of the obstacle's material point q, obstacle's frame [m] -> world
  /// frame [m/s].
  Vec3d surface_velocity(Vec3d q) const { return moves ? shift + turn * q : Vec3d{}; }
};

PreparedObstacle prepare(const ObstaclePose& obstacle, double largest_speed, double margin_m,
                         double step_s) {
  PreparedObstacle o;
  o.shape = obstacle.shape;
  o.now = obstacle.now;
  o.bounds = bounds_of(obstacle.shape);
  o.shift = (1 / step_s) * (obstacle.next.position - obstacle.now.position);
  o.turn = (1 / step_s) * (obstacle.next.rotation - obstacle.now.rotation);
  const double spin = frobenius_norm(o.turn);
  o.moves = norm(o.shift) != 0 || spin != 0;

  // Bound of the surface's speed. The point under a node of a rotating half-space is anywhere, that
  // of a grid is approximate.
  double surface_speed = norm(o.shift);
  if (spin != 0) {
    const bool closest_point_bounded =
        o.shape.kind != ShapeKind::half_space && o.shape.kind != ShapeKind::distance_grid;
    surface_speed = closest_point_bounded ? surface_speed + spin * o.bounds.radius() : kInfinity;
  }
  o.reach = with_slack(margin_m + 2 * step_s * (largest_speed + surface_speed), o.bounds);
  return o;
}

double largest_norm(const Vec3d* v, int n) {
  double largest = 0;
  for (int i = 0; i < n; ++i) largest = std::max(largest, squared_norm(v[i]));
  return std::sqrt(largest);
}

/// Appends the pairs of nodes [begin, end).
void detect_range(const std::vector<PreparedObstacle>& obstacles, const Vec3d* x, const Vec3d* v,
                  int begin, int end, double margin_m, double step_s,
                  std::vector<ProximityPair>* out) {
  const int n_obstacle = static_cast<int>(obstacles.size());
  for (int node = begin; node < end; ++node) {
    for (int k = 0; k < n_obstacle; ++k) {
      const PreparedObstacle& o = obstacles[static_cast<std::size_t>(k)];
      const Vec3d p = o.now.to_local(x[node]);
      if (!o.bounds.is_near(p, o.reach)) continue;
      const SurfaceDistance surface = signed_distance(o.shape, p);
      const Vec3d normal = o.now.rotation * surface.normal;
      const Vec3d surface_velocity = o.surface_velocity(p - surface.distance * surface.normal);
      const double approach = std::max(0.0, -dot(v[node] - surface_velocity, normal));
      if (surface.distance < margin_m + 2 * step_s * approach) {
        out->push_back({node, k, surface.distance, normal, surface_velocity});
      }
    }
  }
}

}  // namespace

void detect(const std::vector<ObstaclePose>& obstacles, const Vec3d* x, const Vec3d* v, int n_node,
            double margin_m, double step_s, int n_thread, std::vector<ProximityPair>* out) {
  const double largest_speed = largest_norm(v, n_node);
  std::vector<PreparedObstacle> prepared;
  prepared.reserve(obstacles.size());
  for (const ObstaclePose& obstacle : obstacles) {
    prepared.push_back(prepare(obstacle, largest_speed, margin_m, step_s));
  }

  out->clear();
  if (n_thread <= 1) {
    detect_range(prepared, x, v, 0, n_node, margin_m, step_s, out);
    return;
  }
  // A node's pairs depend on that node alone: ranges of nodes side by side, put together in their
  // order.
  std::vector<std::vector<ProximityPair>> part(static_cast<std::size_t>(n_thread));
  const auto begin_of = [&](int r) {
    return static_cast<int>(static_cast<std::int64_t>(n_node) * r / n_thread);
  };
  launch(
      n_thread,
      [&](int r) {
        detect_range(prepared, x, v, begin_of(r), begin_of(r + 1), margin_m, step_s,
                     &part[static_cast<std::size_t>(r)]);
      },
      n_thread);
  for (const auto& pairs : part) out->insert(out->end(), pairs.begin(), pairs.end());
}

double max_penetration(const std::vector<Shape>& shapes, const std::vector<Pose>& poses,
                       const Vec3d* x, int n_node) {
  double deepest = 0;
  for (std::size_t k = 0; k < shapes.size(); ++k) {
    const Shape& shape = shapes[k];
    const Bounds bounds = bounds_of(shape);
    for (int node = 0; node < n_node; ++node) {
      const Vec3d p = poses[k].to_local(x[node]);
      if (!bounds.is_near(p, 0)) continue;
      deepest = std::max(deepest, -signed_distance(shape, p).distance);
    }
  }
  return deepest;
}

}  // namespace nodia
