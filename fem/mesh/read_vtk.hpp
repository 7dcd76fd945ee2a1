/// VTK files with an unstructured grid: .vtk (legacy), .vtu (XML).
#pragma once

#include <string>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// The Python that read_vtk() starts.
struct VtkReader {
  std::string python;   ///< the executable
  std::string modules;  ///< folder that holds the package nodia_tools
};

/// Set by the nodia command and by the Python package when they start. No environment variable
/// says it, because programs that this process starts may belong to another installation.
void set_vtk_reader(VtkReader reader);

/// Reads the volume elements as parse_gmsh() does, by the Python module nodia_tools.vtk_to_gmsh in
/// a process of its own, see set_vtk_reader(). Node sets are not read.
/// @param notice  out, if not null: what a user should know about the reading, one sentence, or
/// empty
/// @throws InputError with the file and the reason
TetMesh read_vtk(const std::string& path, std::string* notice = nullptr);

}  // namespace nodia
