/// The surfaces of a scene, collected from its models for the contact search.
#pragma once

#include <utility>
#include <vector>

#include "host/collision/proximity.hpp"
#include "host/scene/objects.hpp"

namespace nodia {

struct SceneSurface {
  ObjectId id;
  SurfaceMaterial material;
  std::int32_t first_frame = 0;  ///< first frame of a cable's links
  bool nodal = false;            ///< contacts act on the row of the frame itself
};

class SurfaceList {
 public:
  /// Adds a surface. ProximitySearch numbers surfaces in the order of these calls.
  void add_soft(const SceneSurface& surface, SurfaceMesh mesh, int first_node,
                const SoftSurfaceOptions& options) {
    search_.add_soft(std::move(mesh), first_node, options);
    all_.push_back(surface);
  }
  void add_rod(const SceneSurface& surface, const RodSurface& rod) {
    search_.add_rod(rod);
    all_.push_back(surface);
  }
  void add_shape(const SceneSurface& surface, const ShapeSurface& shape) {
    search_.add_shape(shape);
    all_.push_back(surface);
  }

  const std::vector<SceneSurface>& all() const { return all_; }
  ProximitySearch& search() { return search_; }

 private:
  ProximitySearch search_;
  std::vector<SceneSurface> all_;
};

/// Sets the trees of a mesh; an analytic shape has none.
inline void set_mesh_trees(const std::shared_ptr<const DistanceGrid>& grid, ShapeSurface* shape) {
  if (grid) shape->mesh_trees = {grid, &grid->trees()};
}

}  // namespace nodia
