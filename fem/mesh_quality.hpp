/// What is wrong with a mesh: which elements, how many, what to do.
#pragma once

#include <string>
#include <vector>

#include "fem/tet_mesh.hpp"

namespace nodia {

struct MeshQuality {
  std::vector<std::int32_t> inverted_tets;    ///< negative volume
  std::vector<std::int32_t> flat_tets;        ///< |volume| <= 1e-9 of (longest edge)^3
  std::vector<std::int32_t> duplicate_tets;   ///< same four nodes as an earlier one
  std::vector<std::int32_t> duplicate_nodes;  ///< same position (to 1e-9 of the diameter) as an earlier one
  std::vector<std::int32_t> dangling_nodes;   ///< in no tetrahedron
  std::vector<std::int32_t> bad_index_tets;   ///< refer to a node that does not exist, or twice to one node
  std::vector<std::int32_t> non_finite_nodes;
  double volume_m3 = 0;
  double min_edge_m = 0, max_edge_m = 0;

  bool usable() const;
  /// One line per defect: which (the first few), how many, what to do; empty when there is none.
  std::string report() const;
};

MeshQuality check_mesh(const TetMesh& mesh);

/// Throws InputError with the report, prefixed by `where`, unless the mesh is usable.
void require_usable(const TetMesh& mesh, const std::string& where);

}  // namespace nodia
