/// VTK files with an unstructured grid: .vtk (legacy), .vtu (XML).
#pragma once

#include <string>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Reads the volume elements as parse_gmsh() does, by the Python module nodia_tools.vtk_to_gmsh in
/// a process of its own: $NODIA_PYTHON with $NODIA_PYTHON_DIR, which the nodia command and the
/// Python package set. Node sets are not read.
/// @param notice  out, if not null: what a user should know about the reading, one sentence, or
/// empty
/// @throws InputError with the file and the reason
TetMesh read_vtk(const std::string& path, std::string* notice = nullptr);

}  // namespace nodia
