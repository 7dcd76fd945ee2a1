/// Selection of the mesh vertices that may be the first to touch another body.
#pragma once

#include <vector>

#include "host/collision/mesh_surface.hpp"

namespace nodia {

/// Selects corners and vertices of edges and curved faces. Vertices inside a flat face are omitted,
/// because its rim or points of the other body make contact first. In each cell of a lattice of
/// `spacing_m` only the sharpest vertex remains; among equals, the first of the mesh.
///
/// Sharpness of a vertex: 1 - MeshSurface::flatness() [-].
/// @param spacing_m  > 0 [m]
/// @return vertices of surface.mesh(), ascending
std::vector<std::int32_t> contact_vertices(const MeshSurface& surface, double spacing_m);

}  // namespace nodia
