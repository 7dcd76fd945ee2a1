#include "host/simulation/soft_point.hpp"

#include <algorithm>
#include <limits>

namespace nodia {

SoftPoint soft_point_at(Vec3d point, const TetMesh& mesh, std::int32_t first_node, const Vec3d* x) {
  SoftPoint nearest;
  double largest = -std::numeric_limits<double>::infinity();
  for (const auto& tet : mesh.tets) {
    SoftPoint own;
    for (std::size_t k = 0; k < 4; ++k) own.node[k] = first_node + tet[k];
    const Vec3d origin = x[own.node[0]];
    const Mat3d edges = Mat3d::from_columns(x[own.node[1]] - origin, x[own.node[2]] - origin,
                                            x[own.node[3]] - origin);
    const Vec3d w = inverse(edges) * (point - origin);
    own.weight = {1 - w.x - w.y - w.z, w.x, w.y, w.z};
    const double least = *std::min_element(own.weight.begin(), own.weight.end());
    if (!(least > largest)) continue;
    largest = least;
    nearest = own;
  }
  return nearest;
}

}  // namespace nodia
