/// Signed-distance grid of a closed triangle mesh.
#pragma once

#include <vector>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

/// Smallest extent of a mesh along its coordinate axes and along the principal axes of its vertices
/// [m].
double smallest_extent(const TriangleMesh& mesh);

/// Spacing where none is given: a 64th of the longest side or a quarter of the smallest extent,
/// whichever is less; up to half of that extent where the grid would have more than 2^22 samples
/// [m].
double default_grid_spacing(const TriangleMesh& mesh);

class DistanceGrid {
 public:
  /// Samples the signed distance to a closed mesh on a grid of `spacing_m` with `padding` cells
  /// around it.
  /// Exact at every sample to rounding; inside is where the mesh winds around the sample.
  /// @param spacing_m  at most half of smallest_extent(mesh)
  /// @param padding  >= 1
  /// @throws InputError where the mesh is not closed, the spacing is coarser, or the grid would
  /// exceed 2^28 samples
  DistanceGrid(const TriangleMesh& mesh, double spacing_m, int padding = 3);
  DistanceGridView view() const;
  /// contact_vertices() of the mesh by the grid's spacing, or an eighth of its smallest extent
  /// where that is less.
  const std::vector<Vec3d>& points() const { return points_; }
  /// All vertices of the mesh's triangles.
  const std::vector<Vec3d>& vertices() const { return vertices_; }

 private:
  DistanceGridView view_;
  std::vector<double> value_;
  std::vector<Vec3d> points_, vertices_;
};

/// Exact signed distance of a point to a closed mesh by visiting every triangle: the oracle.
double brute_force_distance(const TriangleMesh& mesh, Vec3d point);

}  // namespace nodia
