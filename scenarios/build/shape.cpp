#include "scenarios/build/shape.hpp"

namespace nodia {
namespace {

const SceneFiles::Solid& solid_of(const MeshShape& shape, SceneFiles* files) {
  SceneFiles::Solid& solid = files->solids[{shape.file, shape.grid_spacing_m.value_or(0)}];
  if (!solid.grid) {
    const TriangleMesh mesh = read_triangle_mesh(shape.file);
    require_closed(mesh, shape.file);
    solid.integrals = solid_integrals(mesh, shape.file);
    solid.grid = std::make_shared<const DistanceGrid>(
        mesh, shape.grid_spacing_m.value_or(default_grid_spacing(mesh)));
  }
  return solid;
}

/// Converts an entry to a shape. For a mesh, also returns the distance grid that the shape refers
/// to.
struct ShapeMaker {
  SceneFiles* files;
  std::shared_ptr<const DistanceGrid>* grid;

  template <class T>
  Shape operator()(const SizedShape<T>& s) const {
    return s.shape;
  }
  Shape operator()(const MeshShape& s) const {
    *grid = solid_of(s, files).grid;
    return {ShapeKind::distance_grid, {}, 0, 0, (*grid)->view()};
  }
};

}  // namespace

Shape shape_of(const ShapeEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid) {
  return std::visit(ShapeMaker{files, grid}, entry);
}
Shape shape_of(const SolidEntry& entry, SceneFiles* files,
               std::shared_ptr<const DistanceGrid>* grid) {
  return std::visit(ShapeMaker{files, grid}, entry);
}

SolidIntegrals integrals_of(const SolidEntry& entry, const Shape& shape, SceneFiles* files) {
  if (const auto* mesh = std::get_if<MeshShape>(&entry)) return solid_of(*mesh, files).integrals;
  const double volume = solid_volume(shape);
  return {volume, {}, solid_inertia(shape, volume)};
}

}  // namespace nodia
