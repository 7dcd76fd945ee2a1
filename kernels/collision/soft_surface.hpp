/// Triangles of a soft body's surface and their closest points, host and device.
#pragma once

#include <cstdint>

#include "kernels/collision/approach.hpp"
#include "kernels/collision/closest_points.hpp"
#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// Cosine of 105 degrees, an upper bound for the normals of a self-contact.
inline constexpr double kSelfFacing = -0.25;
/// Fraction of an edge length below which a distance counts as zero [-].
inline constexpr double kTouchingShare = 1e-9;

/// Closest point of a surface.
struct SurfaceHit {
  std::int32_t triangle = -1;
  Vec3d weight{};       ///< barycentric weights of the corners [-]
  Vec3d point{};        ///< [m]
  double distance = 0;  ///< signed [m]
  Vec3d normal{};       ///< unit, outward
};

/// Surface in a step. Vertices, triangles and edges as in SurfaceMesh; lists of triangles ascend.
struct SoftSurface {
  std::int32_t n_vertex = 0, n_triangle = 0;
  bool is_closed = false;
  double thickness_m = 0;                ///< distance of the surface outside its triangles [m]
  double depth_m = 0, self_depth_m = 0;  ///< search depths inside, of others and of itself [m]
  const std::int32_t* corner = nullptr;  ///< [3 n_triangle] vertices
  const std::int32_t* triangle_edge = nullptr;  ///< [3 n_triangle] from corner k to corner k + 1
  const std::int32_t *vertex_begin = nullptr, *around_vertex = nullptr;  ///< triangles
  const std::int32_t *edge_begin = nullptr, *around_edge = nullptr;      ///< triangles
  /// Self-contact omits these triangles.
  const std::int32_t *left_out_begin = nullptr, *left_out = nullptr;
  const Vec3d* x = nullptr;        ///< positions of the vertices [m]
  const PointMotion* v = nullptr;  ///< motions of the vertices, finite [m/s]
  const Vec3d* normal = nullptr;   ///< unit normals of the triangles; zero without area

  bool operator==(const SoftSurface&) const = default;

  template <class Memory>
  NODIA_HD Vec3d position(std::int32_t vertex, Memory memory) const {
    return memory.read(x + vertex);
  }
  template <class Memory>
  NODIA_HD Vec3d normal_of(std::int32_t triangle, Memory memory) const {
    return memory.read(normal + triangle);
  }
  NODIA_HD const std::int32_t* corners(std::int32_t triangle) const {
    return corner + std::int64_t{3} * triangle;
  }
  template <class Memory>
  NODIA_HD Vec3d corner_position(std::int32_t triangle, int k, Memory memory) const {
    return position(corners(triangle)[k], memory);
  }
  template <class Memory>
  NODIA_HD TrianglePoint closest_on(std::int32_t triangle, Vec3d p, Memory memory) const {
    return closest_on_triangle(p, corner_position(triangle, 0, memory),
                               corner_position(triangle, 1, memory),
                               corner_position(triangle, 2, memory));
  }
  /// Length of a triangle's first edge [m].
  template <class Memory>
  NODIA_HD double size_of(std::int32_t triangle, Memory memory) const {
    return norm(corner_position(triangle, 1, memory) - corner_position(triangle, 0, memory));
  }

  /// Outward unit normal of a vertex, weighted by the angles of its triangles; zero if they cancel.
  template <class Memory>
  NODIA_HD Vec3d vertex_normal(std::int32_t vertex, Memory memory) const {
    Vec3d sum{};
    for (std::int32_t k = vertex_begin[vertex]; k < vertex_begin[vertex + 1]; ++k) {
      const std::int32_t t = around_vertex[k];
      sum += angle_at(t, vertex, memory) * normal_of(t, memory);
    }
    double length = 0;
    return direction_or(sum, {}, &length);
  }

  template <class Memory>
  NODIA_HD PointMotion velocity(const SurfaceHit& hit, Memory memory) const {
    PointMotion sum;
    for (int k = 0; k < 3; ++k) {
      const PointMotion of_corner = memory.read(v + corners(hit.triangle)[k]);
      sum.now += hit.weight[k] * of_corner.now;
      sum.free += hit.weight[k] * of_corner.free;
    }
    return sum;
  }

  /// Closest point of the surface to p: outside within `reach`, or inside within `search_depth`. If
  /// the closest point of an inside point does not face it, the closest facing one is used.
  /// @param box      box of the triangles
  /// @param facing   outward normal at p, null: none
  /// @param nearest  nearest(squared_radius, squared_distance) is the triangle closest to p within
  ///                 the radius, by squared_distance(triangle), the lowest of equally close ones;
  ///                 -1: none
  template <class Nearest, class Memory>
  NODIA_HD bool find_closest(Vec3d p, double reach, double search_depth, const Bounds& box,
                             const Vec3d* facing, const Nearest& nearest, SurfaceHit* hit,
                             Memory memory) const {
    // An inside point is inside the box.
    const bool may_be_inside = is_closed && box.squared_distance(p) == 0;
    const double radius = may_be_inside ? larger(search_depth, reach) : reach;
    const std::int32_t triangle = nearest(
        radius * radius, [&](std::int32_t t) { return closest_on(t, p, memory).squared_distance; });
    if (triangle < 0) return false;
    const TrianglePoint c = closest_on(triangle, p, memory);
    const Vec3d own = facing != nullptr ? *facing : Vec3d{};
    *hit = hit_at(triangle, p, is_inside(triangle, p, c, memory), c, own, memory);
    if (facing == nullptr || !is_closed || dot(own, hit->normal) <= kNotFacing)
      return hit->distance >= -search_depth;

    if (hit->distance > kTouchingShare * size_of(triangle, memory)) return false;
    const std::int32_t other = nearest(search_depth * search_depth, [&](std::int32_t t) {
      return dot(own, normal_of(t, memory)) > kNotFacing
                 ? HUGE_VAL
                 : closest_on(t, p, memory).squared_distance;
    });
    if (other < 0) return false;
    *hit = hit_at(other, p, true, closest_on(other, p, memory), own, memory);
    return dot(own, hit->normal) <= kNotFacing;
  }

  /// True if p is inside, or outside by less than `slack` [m]. @param box, nearest  as above
  template <class Nearest, class Memory>
  NODIA_HD bool contains(Vec3d p, double slack, const Bounds& box, const Nearest& nearest,
                         Memory memory) const {
    SurfaceHit hit;
    return find_closest(p, slack, HUGE_VAL, box, nullptr, nearest, &hit, memory) &&
           hit.distance < slack;
  }

  /// Closest point for a vertex of this surface, among the triangles that face it.
  /// @param nearest  see find_closest; it may skip triangles that self-contact omits
  template <class Nearest, class Memory>
  NODIA_HD bool find_closest_to_vertex(std::int32_t vertex, double reach, const Nearest& nearest,
                                       SurfaceHit* hit, Memory memory) const {
    const Vec3d p = position(vertex, memory);
    Vec3d facing{};
    bool knows_facing = !is_closed;
    const auto is_left_out = [&](std::int32_t t) {
      if (leaves_out(vertex, t)) return true;
      if (!knows_facing) facing = vertex_normal(vertex, memory);
      knows_facing = true;
      return dot(facing, normal_of(t, memory)) > kNotFacing;
    };
    const double radius = larger(is_closed ? self_depth_m : 0, reach);
    const std::int32_t triangle = nearest(radius * radius, [&](std::int32_t t) {
      return is_left_out(t) ? HUGE_VAL : closest_on(t, p, memory).squared_distance;
    });
    if (triangle < 0) return false;
    const TrianglePoint c = closest_on(triangle, p, memory);
    const bool inside = is_inside(triangle, p, c, memory);
    if (inside && c.feature != kFace) {
      // The closest point is on the rim of the omitted triangles, so p need not be inside.
      for (int k = 0; k < 3; ++k) {
        if (((c.feature >> k) & 1) == 0) continue;
        const std::int32_t around = corners(triangle)[k];
        for (std::int32_t l = vertex_begin[around]; l < vertex_begin[around + 1]; ++l)
          if (is_left_out(around_vertex[l])) return false;
      }
    }
    *hit = hit_at(triangle, p, inside, c, facing, memory);
    const double most = is_closed ? kSelfFacing : kNotFacing;
    return hit->distance >= -self_depth_m && dot(facing, hit->normal) <= most;
  }

  /// True if self-contact of a vertex omits a triangle.
  NODIA_HD bool leaves_out(std::int32_t vertex, std::int32_t triangle) const {
    std::int32_t begin = left_out_begin[vertex], end = left_out_begin[vertex + 1];
    while (begin < end) {
      const std::int32_t middle = begin + (end - begin) / 2, at = left_out[middle];
      if (at == triangle) return true;
      if (at < triangle)
        begin = middle + 1;
      else
        end = middle;
    }
    return false;
  }

 private:
  /// Angle of a triangle at one of its vertices [rad]; 0 without area.
  template <class Memory>
  NODIA_HD double angle_at(std::int32_t triangle, std::int32_t vertex, Memory memory) const {
    const std::int32_t* own = corners(triangle);
    const int k = own[0] == vertex ? 0 : (own[1] == vertex ? 1 : 2);
    const double angle = corner_angle(position(vertex, memory), position(own[(k + 1) % 3], memory),
                                      position(own[(k + 2) % 3], memory));
    return std::isfinite(angle) ? angle : 0;
  }

  /// Calls visit(triangle, weight) for the triangles around a feature of a triangle: weight 1 for a
  /// face or an edge, the triangle's angle for a corner.
  template <class Visit, class Memory>
  NODIA_HD void for_each_around(std::int32_t triangle, int feature, const Visit& visit,
                                Memory memory) const {
    if (feature == kCornerA || feature == kCornerB || feature == kCornerC) {
      const int k = feature == kCornerA ? 0 : (feature == kCornerB ? 1 : 2);
      const std::int32_t vertex = corners(triangle)[k];
      for (std::int32_t l = vertex_begin[vertex]; l < vertex_begin[vertex + 1]; ++l)
        visit(around_vertex[l], angle_at(around_vertex[l], vertex, memory));
    } else if (feature == kEdgeAB || feature == kEdgeBC || feature == kEdgeCA) {
      const int k = feature == kEdgeAB ? 0 : (feature == kEdgeBC ? 1 : 2);
      const std::int32_t edge = triangle_edge[std::int64_t{3} * triangle + k];
      for (std::int32_t l = edge_begin[edge]; l < edge_begin[edge + 1]; ++l)
        visit(around_edge[l], 1.0);
    } else {
      visit(triangle, 1.0);
    }
  }

  /// Outward unit normal of a corner, an edge or the face of a triangle; the triangle's own if the
  /// normals around cancel.
  template <class Memory>
  NODIA_HD Vec3d feature_normal(std::int32_t triangle, int feature, Memory memory) const {
    Vec3d sum{};
    for_each_around(
        triangle, feature,
        [&](std::int32_t t, double weight) { sum += weight * normal_of(t, memory); }, memory);
    double length = 0;
    return direction_or(sum, normal_of(triangle, memory), &length);
  }

  template <class Memory>
  NODIA_HD bool is_inside(std::int32_t triangle, Vec3d p, const TrianglePoint& c,
                          Memory memory) const {
    return is_closed && dot(p - c.point, feature_normal(triangle, c.feature, memory)) < 0;
  }

  /// Normal for a surface with outward normal `facing` that touches the feature, where the distance
  /// gives no direction: the normal of the faces that face it most.
  template <class Memory>
  NODIA_HD Vec3d touching_normal(std::int32_t triangle, int feature, Vec3d facing,
                                 Memory memory) const {
    constexpr double kAsMuch = 0.1;  // in cosines
    double lowest = HUGE_VAL;
    for_each_around(
        triangle, feature,
        [&](std::int32_t t, double) {
          lowest = smaller(dot(facing, normal_of(t, memory)), lowest);
        },
        memory);
    Vec3d sum{};
    for_each_around(
        triangle, feature,
        [&](std::int32_t t, double weight) {
          const Vec3d n = normal_of(t, memory);
          if (dot(facing, n) <= lowest + kAsMuch) sum += weight * n;
        },
        memory);
    double length = 0;
    return direction_or(sum, normal_of(triangle, memory), &length);
  }

  template <class Memory>
  NODIA_HD SurfaceHit hit_at(std::int32_t triangle, Vec3d p, bool inside, const TrianglePoint& c,
                             Vec3d facing, Memory memory) const {
    const double d = std::sqrt(c.squared_distance);
    SurfaceHit hit;
    hit.triangle = triangle;
    hit.weight = c.weight;
    hit.point = c.point;
    hit.distance = inside ? -d : d;
    const bool is_face = c.feature == kFace && norm(normal_of(triangle, memory)) > 0;
    if (is_face || d <= kTouchingShare * size_of(triangle, memory)) {
      hit.normal = touching_normal(triangle, c.feature, facing, memory);
      // The surface of a sheet has two sides.
      if (!is_closed && dot(p - c.point, hit.normal) < 0) hit.normal = -hit.normal;
    } else {
      hit.normal = ((inside ? -1 : 1) / d) * (p - c.point);
    }
    return hit;
  }
};

/// True if a vertex of i is within the reach of j's surface, or inside within the search depth: the
/// search for pairs without is_within_reach.
/// @param is_self  i and j are one surface
/// @param nearest  nearest triangle of j to the vertex, see SoftSurface::find_closest
template <class Nearest, class Memory>
NODIA_HD bool find_vertex_hit(const SoftSurface& i, const BodyExtent& at_i, std::int32_t vertex,
                              const SoftSurface& j, const BodyExtent& at_j, bool is_self,
                              DetectionReach reach, const Nearest& nearest, SurfaceHit* hit,
                              Memory memory) {
  const Vec3d p = i.position(vertex, memory);
  if (!is_finite(p)) return false;
  const PointMotion v = memory.read(i.v + vertex);
  const double speed = is_self ? relative_speed(v, at_j.velocities) : approach_bound(v, at_i, at_j);
  const double far = i.thickness_m + j.thickness_m + farthest_gap(reach, speed);
  if (is_self) return j.find_closest_to_vertex(vertex, far, nearest, hit, memory);
  if (!(at_j.box.squared_distance(p) <= far * far)) return false;
  const Vec3d facing = i.is_closed ? i.vertex_normal(vertex, memory) : Vec3d{};
  return j.find_closest(p, far, j.depth_m, at_j.box, &facing, nearest, hit, memory);
}

}  // namespace nodia
