/// Surface of a closed triangle mesh: normals of its features, edges, and triangles near grid
/// cells.
#pragma once

#include <array>
#include <vector>

#include "host/collision/bounds_tree.hpp"
#include "host/collision/surface_mesh.hpp"
#include "host/collision/triangle_tree.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

/// Trees of the boxes of a mesh's triangles and of its edges (MeshFeatures).
struct MeshTrees {
  BoundsTree faces, edges;
};

class MeshSurface {
 public:
  /// @param mesh  closed
  explicit MeshSurface(const TriangleMesh& mesh);

  const SurfaceMesh& mesh() const { return mesh_; }
  /// |sum of w n|/sum of w over the unit normals n of a vertex's triangles, w their angles there:
  /// 1 where the surface is flat. Per vertex of mesh() [-].
  const std::vector<double>& flatness() const { return flatness_; }
  const MeshFeatures& features() const { return features_; }

  /// True if p, whose nearest triangle is given, is off the surface and the normal of the closest
  /// feature contradicts `is_inside`, as at hidden parts of a surface that intersects itself.
  bool contradicts(Vec3d p, std::int32_t nearest, bool is_inside) const;

  /// Lists, per cell of the grid, the triangles that may be the nearest to a point of the cell, if
  /// the surface is less than about a cell away.
  /// @param is_ambiguous      per sample: contradicts(); cells at such a sample or with such a
  ///                          centre get no list, nor do the cells beside them
  /// @param centre_is_inside  per cell
  /// @throws InputError if the lists have 2^28 entries or more
  void list_near(const DistanceGridView& grid, const TriangleTree& tree,
                 const std::vector<std::uint8_t>& is_ambiguous,
                 const std::vector<std::uint8_t>& centre_is_inside);
  /// Lists the features and makes the trees. Edges are those that are convex and bent by more than
  /// a degree.
  /// @param contact_vertices  vertices of mesh() that are contact points, in their order
  void list_features(const std::vector<std::int32_t>& contact_vertices);

  /// Sets the views of the surface and of the features.
  void set_views(DistanceGridView* grid) const;
  const MeshTrees& trees() const { return trees_; }

 private:
  MeshSurfaceView view() const;

  SurfaceMesh mesh_;
  std::vector<double> flatness_;
  std::vector<Vec3d> vertex_normal_, edge_normal_;
  std::vector<MeshTriangle> triangles_;
  std::vector<std::int32_t> cell_begin_;
  std::vector<NearTriangle> near_;
  MeshFeatures features_;
  MeshTrees trees_;
  Bounds box_;
  double resolution_m_ = 0;
};

}  // namespace nodia
