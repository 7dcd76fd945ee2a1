/// Nearest triangle of a mesh, by a tree of bounding boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "host/collision/bounds_tree.hpp"
#include "host/collision/distance_grid.hpp"

namespace nodia {

/// Squared distance of p to the triangle (a, b, c) [m^2]; triangles without area are their edges.
double squared_triangle_distance(Vec3d p, Vec3d a, Vec3d b, Vec3d c);

class TriangleTree {
 public:
  struct Nearest {
    double squared_distance = 0;  ///< [m^2]
    std::int32_t place = 0;  ///< of the triangle in the tree: a first guess for a query near by
  };

  /// @param mesh  at least one triangle, indices in range, vertices finite
  explicit TriangleTree(const TriangleMesh& mesh);

  /// @param guess  `place` of some triangle; a near one saves time and does not change the distance
  Nearest nearest(Vec3d p, std::int32_t guess = 0) const;

 private:
  struct Corners {
    Vec3d a, b, c;
  };

  BoundsTree tree_;
  std::vector<Corners> corners_;  ///< by place
};

}  // namespace nodia
