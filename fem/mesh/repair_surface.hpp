/// Makes a closed surface of the collision mesh of another program.
#pragma once

#include <string>

#include "fem/mesh/triangle_mesh.hpp"

namespace nodia {

/// Repairs a mesh that require_closed() refuses. The first of these steps that suffices is the
/// last:
///
/// 1. Triangles with the same three vertices become one.
/// 2. Neighbours that face opposite sides are turned until they agree. A surface that faces inward
///    is turned outward.
/// 3. Holes are closed by triangles around the centre of their edges, if these are at most a tenth
///    of the surface.
/// 4. The convex hull of the vertices takes the place of the mesh.
///
/// @return what the mesh was and became, a clause for "the mesh ..."; empty if it was closed
/// @throws InputError `where: ...` for a mesh without volume
std::string repair_surface(TriangleMesh* mesh, const std::string& where);

}  // namespace nodia
