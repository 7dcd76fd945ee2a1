/// Selection of the mesh vertices that may be the first to touch another body.
#pragma once

#include <vector>

#include "host/collision/distance_grid.hpp"

namespace nodia {

/// Returns corners and vertices of edges and curved faces. Vertices inside a flat face are omitted,
/// because its rim or points of the other body make contact first. In each cell of a lattice of
/// `spacing_m` only the sharpest vertex remains; among equals, the first of the mesh.
///
/// Sharpness of a vertex: 1 - |sum of w n|/sum of w over the unit normals n of its triangles, w
/// their angles there [-].
/// @param mesh  closed, @param spacing_m  > 0 [m]
/// @return in the order of the mesh [m]
std::vector<Vec3d> contact_vertices(const TriangleMesh& mesh, double spacing_m);

}  // namespace nodia
