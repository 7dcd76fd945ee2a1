/// Vertices of a triangle mesh that may be the first of it to touch another body.
#pragma once

#include <vector>

#include "host/collision/distance_grid.hpp"

namespace nodia {

/// Corners and vertices of edges and curved faces; those inside a flat face are left out: it
/// touches with its rim, or is touched by the other's points. Of several in one cell of a lattice
/// of `spacing_m` the sharpest stays, the first of the mesh among equals.
///
/// Sharpness of a vertex: 1 - |sum of w n|/sum of w over the unit normals n of its triangles, w
/// their angles there [-].
/// @param mesh  closed, @param spacing_m  > 0 [m]
/// @return in the order of the mesh [m]
std::vector<Vec3d> contact_vertices(const TriangleMesh& mesh, double spacing_m);

}  // namespace nodia
