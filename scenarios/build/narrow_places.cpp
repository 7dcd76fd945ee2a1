#include "scenarios/build/narrow_places.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "kernels/contact/shapes/distance_grid.hpp"

namespace nodia {
namespace {

constexpr std::int32_t kMostProbes = 20000;
constexpr double kOpposite = -0.8;  // cosine of the normals of opposite faces
constexpr double kMostLinks = 1e9;
constexpr double kShare = 0.9;  // of the margin; a gap of the margin is none

double smaller_or_zero(double a, double b) {
  return a > 0 && b > 0 ? std::min(a, b) : std::max(a, b);
}

/// Width of the narrowest gap of a mesh that is smaller than the margin; 0: none [m].
double narrowest_gap(const DistanceGridView& grid, double margin_m) {
  const MeshSurfaceView& mesh = grid.mesh;
  const double step = 0.5 * margin_m;
  const std::int32_t stride = 1 + mesh.n_triangle / kMostProbes;
  double narrowest = 0;
  for (std::int32_t t = 0; t < mesh.n_triangle; t += stride) {
    const MeshTriangle& triangle = mesh.triangle[t];
    const Vec3d middle =
        (1. / 3) * (mesh.vertex[triangle.vertex[0]] + mesh.vertex[triangle.vertex[1]] +
                    mesh.vertex[triangle.vertex[2]]);
    const SurfaceDistance near = grid_distance(middle + step * triangle.normal, grid, margin_m);
    const double width = step + near.distance;
    if (width < kShare * margin_m && width > mesh.resolution_m &&
        dot(near.normal, triangle.normal) < kOpposite)
      narrowest = smaller_or_zero(narrowest, width);
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

/// Length of a link whose weight bends its joint by 180 degrees [m].
double folding_length(const CableDescription& cable, double gravity_m_s2) {
  const double stiffness =
      0.25 * cable.material.youngs_modulus_Pa * cable.radius_m * cable.radius_m;  // E I/A
  return std::cbrt(2 * std::numbers::pi * stiffness /
                   (cable.material.density_kg_m3 * gravity_m_s2));
}

class NarrowPlaceFinder {
 public:
  explicit NarrowPlaceFinder(const Scene& scene) : scene_(scene) {}

  void look(const std::string& path, const SoftBodyDescription& body) {
    const double thickness = mean_thickness(body.mesh);
    if (thickness < kShare * margin()) add(NarrowPlace::Kind::sheet, path, thickness, margin());
  }
  void look(const std::string& path, const RigidBodyDescription& body) {
    double gap = 0;
    for (const PlacedShape& placed : shapes_of(body))
      if (placed.grid) gap = smaller_or_zero(gap, narrowest_gap(placed.grid->view(), margin()));
    add_gap(path, gap);
  }
  void look(const std::string&, const CompoundDescription&) {}
  void look(const std::string& path, const CableDescription& cable) {
    const double length = length_of(cable);
    const double longest = folding_length(cable, norm(scene_.gravity_m_s2));
    if (cable.links > 1 && length / cable.links > longest)
      add(NarrowPlace::Kind::links, path, length / cable.links, longest,
          static_cast<int>(std::fmin(std::ceil(length / longest), kMostLinks)));
  }
  void look(const std::string& path, const ObstacleDescription& obstacle) {
    if (obstacle.grid) add_gap(path, narrowest_gap(obstacle.grid->view(), margin()));
  }
  void look(const std::string& path, const RobotSceneDescription& robot) {
    double gap = 0;
    for (const auto& grid : robot.grids)
      gap = smaller_or_zero(gap, narrowest_gap(grid->view(), margin()));
    add_gap(path, gap);
  }

  std::vector<NarrowPlace> take() { return std::move(found_); }

 private:
  double margin() const { return scene_.contact.margin_m; }
  void add(NarrowPlace::Kind kind, const std::string& path, double size_m, double bound_m,
           int links = 0) {
    found_.push_back({kind, path, size_m, bound_m, links});
  }
  void add_gap(const std::string& path, double gap_m) {
    if (gap_m > 0) add(NarrowPlace::Kind::gap, path, gap_m, margin());
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
