/// Uniform refinement of tetrahedral meshes.
#pragma once

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Splits every tetrahedron in eight: four at its corners, and four around the shortest diagonal of
/// the octahedron between them (Bey, "Tetrahedral grid refinement", Computing 55, 1995). The volume
/// is the same to rounding. The middle of an edge is in a node set if both ends are; if a set has
/// nodes on the surface only, the edge must be on the surface too.
TetMesh subdivided(const TetMesh& mesh);

}  // namespace nodia
