/// Tree of oriented boxes that finds the nearest triangle of a mesh.
#pragma once

#include <algorithm>
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

 private:
  struct Triangle {
    Vec3d a, b, c;
    Bounds bounds;
    OrientedBox box;
  };
  /// A leaf has the triangles [first, first + count). An inner node (count 0) has its children at
  /// the next index and at `first`.
  struct Node {
    OrientedBox box;
    std::int32_t first = 0, count = 0;
  };

  void build(std::int32_t begin, std::int32_t end);

  std::vector<Triangle> triangles_;  ///< by position in the tree
  std::vector<Node> nodes_;
};

}  // namespace nodia
