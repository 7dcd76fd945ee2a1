/// Signed-distance grid of a closed triangle mesh.
#pragma once

#include <vector>

#include "fem/mesh/triangle_mesh.hpp"
#include "host/collision/mesh_surface.hpp"

namespace nodia {

/// Smallest extent of a mesh along its coordinate axes and the principal axes of its vertices [m].
double smallest_extent(const TriangleMesh& mesh);

/// Default spacing [m]: the smaller of 1/64 of the longest side and 1/4 of the smallest extent; up
/// to half of that extent if the grid would have more than 2^22 samples.
double default_grid_spacing(const TriangleMesh& mesh);

class DistanceGrid {
 public:
  /// Samples the signed distance to a closed mesh on a grid of `spacing_m` with `padding` cells
  /// around it. Exact at every sample, and within about a cell of the surface, up to rounding. The
  /// winding number decides what is inside; where the surface intersects itself, the grid is
  /// interpolated near the surface, too.
  /// @param spacing_m  at most half of smallest_extent(mesh)
  /// @param padding  >= 1
  /// @throws InputError if the mesh is not closed, the spacing is coarser, or the grid would exceed
  ///   2^28 samples
  DistanceGrid(const TriangleMesh& mesh, double spacing_m, int padding = 3);
  DistanceGridView view() const;
  /// contact_vertices() of the mesh, with spacing min(the grid's, 1/8 of the smallest extent).
  const std::vector<ShapePoint>& points() const { return surface_.features().points; }
  /// All vertices of the mesh's triangles.
  const std::vector<Vec3d>& vertices() const { return surface_.mesh().rest; }
  const MeshTrees& trees() const { return surface_.trees(); }

 private:
  DistanceGridView view_;
  std::vector<double> value_;
  MeshSurface surface_;
};

/// Exact signed distance of a point to a closed mesh by a loop over all triangles: the oracle.
double brute_force_distance(const TriangleMesh& mesh, Vec3d point);

}  // namespace nodia
