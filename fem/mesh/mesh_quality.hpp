/// What is wrong with a mesh: which elements, how many, what to do.
#pragma once

#include <string>
#include <vector>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Every list ascending; nodes and tetrahedra numbered from 0 in the mesh's order.
struct MeshQuality {
  std::vector<std::int32_t> inverted_tets;   ///< negative volume
  std::vector<std::int32_t> flat_tets;       ///< |volume| <= 1e-9 of (longest edge)^3
  std::vector<std::int32_t> duplicate_tets;  ///< same four nodes as an earlier one
  std::vector<std::int32_t>
      duplicate_nodes;  ///< same position (to 1e-9 of the diameter) as an earlier one
  std::vector<std::int32_t> dangling_nodes;  ///< in no tetrahedron
  std::vector<std::int32_t>
      bad_index_tets;  ///< refer to a node that does not exist, or twice to one node
  std::vector<std::int32_t> non_finite_nodes;
  std::size_t n_tet = 0;  ///< none is a defect too
  double volume_m3 = 0;   ///< signed, of the tetrahedra with valid nodes
  double min_edge_m = 0, max_edge_m = 0;
  double min_shape = 0;  ///< smallest tet_shape

  bool usable() const;
  /// One line per defect: which (the first few), how many, what to do; empty when there is none.
  std::string report() const;
};

/// Mean-ratio shape measure 12 (3 V)^(2/3)/(sum of squared edges) [-]: 1 for a regular tetrahedron,
/// 0 for a flat or inverted one.
double tet_shape(Vec3d a, Vec3d b, Vec3d c, Vec3d d);

MeshQuality check_mesh(const TetMesh& mesh);

/// Throws InputError with the report on one line, prefixed by `where`, unless the mesh is usable.
void require_usable(const TetMesh& mesh, const std::string& where);

}  // namespace nodia
