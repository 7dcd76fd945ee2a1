/// Tree of oriented boxes that finds the nearest triangle of a mesh.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/collision/bounds.hpp"
#include "kernels/core/mat3.hpp"

namespace nodia {

/// Squared distance of p to the triangle (a, b, c) [m^2]; triangles without area are their edges.
double squared_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c);

/// Box with axes of its own. The box of a nearly flat patch is thin, so the distance of a point to
/// the box is nearly its distance to the patch.
struct OrientedBox {
  Mat3d axes = Mat3d::identity();  ///< unit vectors as rows
  Vec3d centre{};                  ///< in the coordinates of the mesh [m]
  Vec3d half{};                    ///< half extents along the axes [m]

  /// Lower bound of the squared distance of p to the box's content, including rounding [m^2].
  double squared_distance(Vec3d p) const {
    const Vec3d q = axes * (p - centre);
    const double x = std::max(std::fabs(q.x) - half.x, 0.0),
                 y = std::max(std::fabs(q.y) - half.y, 0.0),
                 z = std::max(std::fabs(q.z) - half.z, 0.0);
    return (1 - kRounding) * (x * x + y * y + z * z);
  }

  /// Relative rounding error of a distance to a box, with room to spare.
  static constexpr double kRounding = 1e-12;
};

class TriangleTree {
 public:
  struct Nearest {
    double squared_distance = 0;  ///< [m^2]
    std::int32_t place = 0;       ///< position in the tree; initial guess for near points
  };

  /// @param mesh  at least one triangle, indices in range, vertices finite
  explicit TriangleTree(const TriangleMesh& mesh);

  /// @param p      query point [m]
  /// @param guess  `place` of any triangle; a near one saves time and does not change the distance
  Nearest nearest(Vec3d p, std::int32_t guess = 0) const;
  /// Index in the mesh of the triangle at a position.
  std::int32_t triangle(std::int32_t place) const {
    return triangles_[static_cast<std::size_t>(place)].index;
  }
  /// Squared distance of p to the triangle at a position [m^2].
  double squared_distance(Vec3d p, std::int32_t place) const {
    const Triangle& t = triangles_[static_cast<std::size_t>(place)];
    return squared_triangle_distance(p, t.a, t.b, t.c);
  }
  /// Calls visit(index, distance) for the triangles at most `radius` from p [m].
  template <class Visit>
  void for_each_within(Vec3d p, double radius, const Visit& visit) const;

 private:
  struct Triangle {
    Vec3d a, b, c;
    Bounds bounds;
    OrientedBox box;
    std::int32_t index = 0;  ///< in the mesh
  };
  /// A leaf has the triangles [first, first + count). An inner node (count 0) has its children at
  /// the next index and at `first`.
  struct Node {
    OrientedBox box;
    std::int32_t first = 0, count = 0;
  };

  static constexpr int kMaxDepth = 64;  // medians halve the count: 2^31 triangles need 31 levels

  void build(std::int32_t begin, std::int32_t end);

  std::vector<Triangle> triangles_;  ///< by position in the tree
  std::vector<Node> nodes_;
};

template <class Visit>
void TriangleTree::for_each_within(Vec3d p, double radius, const Visit& visit) const {
  const double squared = radius * radius;
  std::array<std::int32_t, kMaxDepth> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::int32_t self = stack[--depth];
    const Node& node = nodes_[static_cast<std::size_t>(self)];
    if (node.box.squared_distance(p) > squared) continue;
    if (node.count == 0) {
      stack[depth++] = node.first;
      stack[depth++] = self + 1;
    }
    for (std::int32_t place = node.first; place < node.first + node.count; ++place) {
      const double d2 = squared_distance(p, place);
      if (d2 <= squared) visit(triangle(place), std::sqrt(d2));
    }
  }
}

}  // namespace nodia
