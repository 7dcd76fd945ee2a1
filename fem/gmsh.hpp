/// Gmsh .msh files: 2.2 and 4.1, ASCII and binary.
#pragma once

#include <string>
#include <string_view>

#include "fem/tet_mesh.hpp"

namespace nodia {

/// Reads linear tetrahedra and, as node sets, the named physical groups of any dimension.
/// Other element types are passed over. Node tags may be sparse; they are renumbered in file order.
/// A tetrahedron that a 2.2 file repeats for each of its physical groups is taken once.
/// @throws InputError naming the file, the line (ASCII) or byte offset (binary) and the rule
/// broken; any byte sequence ends
///   in a mesh or in this error. Sizes are checked against the file's size before anything is
///   allocated. The mesh is not judged here: see check_mesh.
TetMesh read_gmsh(const std::string& path);

/// The same from a file's bytes; `name` stands for the file in messages.
TetMesh parse_gmsh(std::string_view bytes, const std::string& name);

/// Writes Gmsh 2.2 or 4.1 (version 22 or 41), ASCII or binary, node sets as physical point groups.
/// Node i gets tag i + 1; coordinates are exact in every format.
/// @throws InputError where the version, the path or a set's name (quotes, line ends) is bad;
/// RuntimeError where writing fails
void write_gmsh(const TetMesh& mesh, const std::string& path, int version = 22,
                bool binary = false);

}  // namespace nodia
