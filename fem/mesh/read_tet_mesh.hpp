/// Tetrahedral meshes from files.
#pragma once

#include <string>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Reads a Gmsh file (.msh) or a VTK file with an unstructured grid (.vtk, .vtu), and repairs the
/// mesh (repair_tets.hpp). The quality of the mesh is not checked here: see check_mesh.
/// @param notice  out, if not null: what was changed, one sentence, or empty
/// @throws InputError with the file and the reason; for other formats with the command that
/// converts them
TetMesh read_tet_mesh(const std::string& path, std::string* notice = nullptr);

}  // namespace nodia
