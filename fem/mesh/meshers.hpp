/// Built-in meshers. For anything else use Gmsh and read_gmsh.
///
/// Nodes are ordered in a sweep (along the box's longest row of cells, along the mat's longer side,
/// along x for the ball), so that coupled nodes lie close in memory. Bad arguments throw
/// InputError.
#pragma once

#include <cstdint>

#include "fem/mesh/tet_mesh.hpp"

namespace nodia {

/// Largest number of nodes of mesh_mat() and mesh_ball().
inline constexpr double kMostMeshedNodes = 2e7;

/// Box [0, size] in n.x * n.y * n.z cells, each split in six tetrahedra (Kuhn), mirrored in
/// alternate cells so that no direction is favoured where possible. Node sets: x_min, x_max, y_min,
/// y_max, z_min, z_max.
TetMesh mesh_box(Vec3d size_m, std::array<int, 3> cells);

/// Mat: an unstructured sheet [0, size], z through the thickness, with about `n_node` nodes (within
/// 5 % from 500 on, for sheets at least 4 elements wide) in `n_layer` layers of elements (0: chosen
/// so that elements keep the shape they have in the committed mat when the sheet is refined).
/// In-plane points lie on a triangular lattice, jittered inside by `seed`; prisms are split
/// consistently. Node sets as mesh_box.
TetMesh mesh_mat(Vec3d size_m, int n_node, int n_layer = 0, std::uint64_t seed = 1);

/// Ball of radius `radius_m` about the origin with about `n_node` nodes (within 20 % for n_node >=
/// 50). The volume is that of the polyhedron of the surface nodes, which lie on the sphere. Node
/// set: surface.
TetMesh mesh_ball(double radius_m, int n_node);

}  // namespace nodia
