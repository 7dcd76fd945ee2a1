/// Gmsh .msh files: 2.2 and 4.1, ASCII and binary.
#pragma once

#include <string>
#include <string_view>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Reads tetrahedra and, as node sets, the named physical groups of any dimension. Of second-order
/// tetrahedra the corners are read: curved edges become straight. Other volume elements (hexahedra,
/// prisms, pyramids) are errors. Points, lines and surface
/// elements are passed over. Node tags may be sparse; they are renumbered in file order. A
/// tetrahedron that a 2.2 file repeats for each of its physical groups is taken once.
/// @throws InputError naming the file, the line (ASCII) or byte offset (binary) and the rule
/// broken; any byte sequence ends
///   in a mesh or in this error. Sizes are checked against the file's size before anything is
///   allocated. The mesh is not judged here: see check_mesh.
/// @param notice  out, where not null: what a user should know of how the file was read, one
/// sentence, or nothing
TetMesh read_gmsh(const std::string& path, std::string* notice = nullptr);

/// The same from a file's bytes; `name` stands for the file in messages.
TetMesh parse_gmsh(std::string_view bytes, const std::string& name, std::string* notice = nullptr);

/// Writes Gmsh 2.2 or 4.1 (version 22 or 41), ASCII or binary, node sets as physical point groups.
/// Node i gets tag i + 1; coordinates are exact in every format.
/// @throws InputError where the version, the path or a set's name (quotes, line ends) is bad;
/// RuntimeError where writing fails
void write_gmsh(const TetMesh& mesh, const std::string& path, int version = 22,
                bool binary = false);

}  // namespace nodia
