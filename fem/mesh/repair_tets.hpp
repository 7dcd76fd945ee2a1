/// Makes tetrahedral meshes of other programs usable.
#pragma once

#include <string>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Turns tetrahedra of negative volume by swapping two of their nodes, and drops nodes that are in
/// no tetrahedron. If tetrahedra on the same side of a common face would result, the mesh overlaps
/// itself: none is turned then, and check_mesh() reports them.
/// @return what was done, clauses with commas between them; empty if nothing was
std::string repair_tets(TetMesh* mesh);

}  // namespace nodia
