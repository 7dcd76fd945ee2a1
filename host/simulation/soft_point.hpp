/// A point of a soft body that is not a node: weighted nodes of a tetrahedron.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

struct SoftPoint {
  std::array<std::int32_t, 4> node{};
  std::array<double, 4> weight{};  ///< barycentric; may be negative outside the tetrahedron

  Vec3d at(const Vec3d* x) const {
    Vec3d p{};
    for (std::size_t k = 0; k < 4; ++k) p += weight[k] * x[node[k]];
    return p;
  }
};

/// The point in the tetrahedron that contains it, or else is nearest in barycentric coordinates.
/// @param first_node  of the body in the environment
/// @param x           positions of the environment's nodes [m]
SoftPoint soft_point_at(Vec3d point, const TetMesh& mesh, std::int32_t first_node, const Vec3d* x);

}  // namespace nodia
