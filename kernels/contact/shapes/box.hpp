/// Collision shape box: |x| <= size/2.
#pragma once

#include <algorithm>

#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// Inside and on the surface the normal is that of the nearest face; among equals z before x before
/// y, and the positive face before the negative one.
NODIA_HD SurfaceDistance box_distance(Vec3d p, Vec3d size) {
  const Vec3d q{std::fabs(p.x) - 0.5 * size.x, std::fabs(p.y) - 0.5 * size.y,
                std::fabs(p.z) - 0.5 * size.z};
  const Vec3d outside{q.x > 0 ? q.x : 0, q.y > 0 ? q.y : 0, q.z > 0 ? q.z : 0};
  const double length = norm(outside);
  if (length > kNoDirection) {
    return {length,
            {std::copysign(outside.x / length, p.x), std::copysign(outside.y / length, p.y),
             std::copysign(outside.z / length, p.z)}};
  }
  SurfaceDistance inside{q.z, {0, 0, p.z < 0 ? -1.0 : 1.0}};
  if (q.x > inside.distance) inside = {q.x, {p.x < 0 ? -1.0 : 1.0, 0, 0}};
  if (q.y > inside.distance) inside = {q.y, {0, p.y < 0 ? -1.0 : 1.0, 0}};
  return inside;
}

/// Corner k of a box: bit 0 of k for +x, bit 1 for +y, bit 2 for +z.
inline Vec3d box_corner(Vec3d size, std::int32_t k) {
  return {(k & 1 ? 0.5 : -0.5) * size.x, (k & 2 ? 0.5 : -0.5) * size.y,
          (k & 4 ? 0.5 : -0.5) * size.z};
}

/// Corners of edge e of a box: along x for e < 4, y for e < 8, z for e < 12.
inline std::array<std::int32_t, 2> box_edge(std::int32_t e) {
  const std::int32_t axis = e / 4;
  const std::int32_t side = 1 << ((axis + 1) % 3), other = 1 << ((axis + 2) % 3);
  const std::int32_t first = (e & 1 ? side : 0) | (e & 2 ? other : 0);
  return {first, first | (1 << axis)};
}

inline SolidEdge box_solid_edge(Vec3d size, std::int32_t e) {
  const auto [k0, k1] = box_edge(e);
  const std::int32_t axis = e / 4;
  SolidEdge edge;
  edge.a = box_corner(size, k0);
  edge.b = box_corner(size, k1);
  Vec3d u{}, w{};
  u[(axis + 1) % 3] = e & 1 ? 1 : -1;
  w[(axis + 2) % 3] = e & 2 ? 1 : -1;
  edge.normal[0] = u;
  edge.normal[1] = w;
  edge.inward[0] = -w;
  edge.inward[1] = -u;
  return edge;
}

inline ShapePoint box_point(Vec3d size, std::int32_t k) {
  const Vec3d sign{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
  return {k, box_corner(size, k), 0, (1 / std::sqrt(3.0)) * sign};
}

struct BoxShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::box;
  static constexpr const char* kName = "box";
  static constexpr const char* kPlace = "about the origin";
  static constexpr std::array<ShapeSize, 1> kSizes{
      {{"size_m", "edges [m]", "try [0.1, 0.1, 0.1]", nullptr, &Shape::size}}};

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return box_distance(p, s.size);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) { return bounds_about_origin(0.5 * s.size); }

  static double volume(const Shape& s) { return s.size.x * s.size.y * s.size.z; }
  static Vec3d inertia(const Shape& shape, double m) {
    const Vec3d s = shape.size;
    return {m / 12 * (s.y * s.y + s.z * s.z), m / 12 * (s.z * s.z + s.x * s.x),
            m / 12 * (s.x * s.x + s.y * s.y)};
  }

  static std::int32_t n_edge(const Shape&) { return 12; }
  static SolidEdge edge(const Shape& s, std::int32_t e) { return box_solid_edge(s.size, e); }
  static std::array<std::int32_t, 2> edge_ends(const Shape&, std::int32_t e) { return box_edge(e); }
  /// Half the smallest size.
  static double edge_depth(const Shape& s) {
    return 0.5 * std::min({s.size.x, s.size.y, s.size.z});
  }

  static double sharp_size(const Shape& s) { return norm(s.size); }
  template <class Add>
  static void faces(const Shape& s, Vec3d p, const Add& add) {
    for (const double sign : {1.0, -1.0}) {
      add(sign * p.z - 0.5 * s.size.z, {0, 0, sign});
      add(sign * p.x - 0.5 * s.size.x, {sign, 0, 0});
      add(sign * p.y - 0.5 * s.size.y, {0, sign, 0});
    }
  }

  /// Corners (features 0 .. 7).
  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance&, const Visit& visit) {
    sharp_points(s, visit);
  }
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    for (std::int32_t k = 0; k < 8; ++k) {
      const Vec3d sign{k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? 1.0 : -1.0};
      visit(ShapePoint{k, box_corner(s.size, k), 0, (1 / std::sqrt(3.0)) * sign});
    }
  }
  static bool is_closest(const Shape&, const ShapePoint& corner, Vec3d towards) {
    const auto rises = [&](int axis) {
      return -std::copysign(1.0, corner.centre[axis]) * towards[axis] > kLeaning;
    };
    return !rises(0) && !rises(1) && !rises(2);
  }
  /// Middles of edges and faces, and the centre.
  template <class Visit>
  static void inner_points(const Shape& s, const Visit& visit) {
    for (std::int32_t k = 0; k < 27; ++k) {
      const int along_x = k % 3 - 1, along_y = k / 3 % 3 - 1, along_z = k / 9 - 1;
      if (along_x * along_y * along_z != 0) continue;
      const Vec3d place{0.5 * along_x, 0.5 * along_y, 0.5 * along_z};
      visit(ShapePoint{k, {place.x * s.size.x, place.y * s.size.y, place.z * s.size.z}, 0, {}});
    }
  }
};

}  // namespace nodia
