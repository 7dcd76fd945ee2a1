#include "scenarios/build/narrow_places.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/contact/shapes/distance_grid.hpp"

namespace nodia {
namespace {

constexpr std::int32_t kMostProbes = 20000;
constexpr double kOpposite = -0.8;  // cosine of the normals of opposite faces
constexpr double kShare = 0.9;      // of the margin; a gap of the margin is none

/// Width of the narrowest gap of a mesh that is smaller than the margin; infinite: none [m].
double narrowest_gap(const DistanceGridView& grid, double margin_m) {
  const MeshSurfaceView& mesh = grid.mesh;
  const double step = 0.5 * margin_m;
  const std::int32_t stride = 1 + mesh.n_triangle / kMostProbes;
  double narrowest = HUGE_VAL;
  for (std::int32_t t = 0; t < mesh.n_triangle; t += stride) {
    const MeshTriangle& triangle = mesh.triangle[t];
    const Vec3d middle =
        (1. / 3) * (mesh.vertex[triangle.vertex[0]] + mesh.vertex[triangle.vertex[1]] +
                    mesh.vertex[triangle.vertex[2]]);
    const SurfaceDistance near = grid_distance(middle + step * triangle.normal, grid, margin_m);
    const double width = step + near.distance;
    if (width < kShare * margin_m && width > mesh.resolution_m &&
        dot(near.normal, triangle.normal) < kOpposite)
      narrowest = std::min(narrowest, width);
  }
  return narrowest;
}

/// 2 V/A of a mesh [m].
double mean_thickness(const TetMesh& mesh) {
  double volume = 0, area = 0;
  for (const auto& [a, b, c, d] : mesh.tets)
    volume += tet_volume(mesh.nodes[a], mesh.nodes[b], mesh.nodes[c], mesh.nodes[d]);
  for (const auto& [a, b, c] : boundary_faces(mesh))
    area += 0.5 * norm(cross(mesh.nodes[b] - mesh.nodes[a], mesh.nodes[c] - mesh.nodes[a]));
  return 2 * volume / area;
}

class NarrowPlaceFinder {
 public:
  explicit NarrowPlaceFinder(const Scene& scene) : scene_(scene) {}

  void look(const std::string& path, const SoftBodyDescription& body) {
    const double thickness = mean_thickness(body.mesh);
    if (thickness < kShare * margin())
      found_.push_back({NarrowPlace::Kind::sheet, path, thickness});
  }
  void look(const std::string& path, const RigidBodyDescription& body) {
    for (const PlacedShape& placed : shapes_of(body))
      if (placed.grid) look_for_gap(path, *placed.grid);
  }
  void look(const std::string&, const CompoundDescription&) {}
  void look(const std::string&, const CableDescription&) {}
  void look(const std::string& path, const ObstacleDescription& obstacle) {
    if (obstacle.grid) look_for_gap(path, *obstacle.grid);
  }
  void look(const std::string& path, const RobotSceneDescription& robot) {
    for (const auto& grid : robot.grids) look_for_gap(path, *grid);
  }

  std::vector<NarrowPlace> take() { return std::move(found_); }

 private:
  double margin() const { return scene_.contact.margin_m; }
  /// Adds the gap of a mesh, or narrows that of another mesh of the object.
  void look_for_gap(const std::string& path, const DistanceGrid& grid) {
    const double gap = narrowest_gap(grid.view(), margin());
    if (!(gap < margin())) return;
    if (found_.empty() || found_.back().path != path)
      found_.push_back({NarrowPlace::Kind::gap, path, gap});
    else
      found_.back().size_m = std::min(found_.back().size_m, gap);
  }

  const Scene& scene_;
  std::vector<NarrowPlace> found_;
};

}  // namespace

std::vector<NarrowPlace> narrow_places(const Scene& scene) {
  NarrowPlaceFinder finder(scene);
  visit_objects(scene, [&](ObjectKind, const std::string& group, const auto& objects) {
    for (const auto& object : objects) finder.look(group + "." + object.name, object);
  });
  return finder.take();
}

}  // namespace nodia
