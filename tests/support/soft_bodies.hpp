/// Soft bodies placed by hand for searches between them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "host/collision/distance_grid.hpp"
#include "host/collision/proximity.hpp"
#include "tests/support/random_obstacles.hpp"

namespace nodia::test {

/// Nodes and frames of a scene put together body by body.
struct ProximityScene {
  ProximitySearch search;
  std::vector<SurfaceMesh> meshes;  ///< of the soft surfaces, in their order
  std::vector<int> first_nodes;
  std::vector<Vec3d> x, v, v_free;  ///< v_free: empty, or of all nodes
  std::vector<Pose> pose;
  std::vector<FrameTwist> twist;
  double margin = 5e-3, step = 0.01;
  int n_thread = 1;

  template <class Place>
  int add_soft(const TetMesh& mesh, const Place& place, const SoftSurfaceOptions& options = {}) {
    const int first = static_cast<int>(x.size());
    for (const Vec3d& rest : mesh.nodes) {
      x.push_back(place(rest));
      v.push_back({});
    }
    meshes.push_back(surface_of(mesh));
    first_nodes.push_back(first);
    return search.add_soft(meshes.back(), first, options);
  }
  int add_shape(const Shape& shape, const Pose& at, const FrameTwist& moves = {},
                bool prescribed = false) {
    pose.push_back(at);
    twist.push_back(moves);
    ShapeSurface surface;
    surface.shape = shape;
    surface.frame = static_cast<int>(pose.size()) - 1;
    surface.prescribed = prescribed;
    return search.add_shape(surface);
  }
  /// A chain along `points`, which are link_length apart.
  int add_rod(const std::vector<Vec3d>& points, double radius,
              RodContact contact = RodContact::segments, bool self_contact = false) {
    RodSurface rod;
    rod.first_frame = static_cast<int>(pose.size());
    rod.n_link = static_cast<int>(points.size()) - 1;
    rod.radius_m = radius;
    rod.link_length_m = norm(points[1] - points[0]);
    rod.contact = contact;
    rod.self_contact = self_contact;
    for (std::size_t k = 0; k + 1 < points.size(); ++k) {
      const Vec3d axis = points[k + 1] - points[k];
      const Mat3d frame = frame_from_normal((1 / norm(axis)) * axis);
      pose.push_back({0.5 * (points[k] + points[k + 1]),
                      Mat3d::from_columns(frame.row[1], frame.row[2], frame.row[0])});
      twist.push_back({});
    }
    return search.add_rod(rod);
  }

  ProximityState state() const { return {x, v, pose, twist, v_free}; }
  std::vector<SurfacePair> find() {
    std::vector<SurfacePair> pairs(3);  // what was there before must go
    search.find(state(), margin, step, n_thread, &pairs);
    return pairs;
  }
  /// Of the surface's vertex.
  Vec3d position(int soft, std::int32_t vertex) const {
    const auto s = static_cast<std::size_t>(soft);
    return x[static_cast<std::size_t>(first_nodes[s] +
                                      meshes[s].nodes[static_cast<std::size_t>(vertex)])];
  }
  /// The soft surface where it is now.
  TriangleMesh triangles(int soft) const {
    const SurfaceMesh& mesh = meshes[static_cast<std::size_t>(soft)];
    TriangleMesh now;
    for (std::int32_t i = 0; i < mesh.n_vertex(); ++i) now.vertices.push_back(position(soft, i));
    now.triangles = mesh.triangles;
    return now;
  }
};

/// Distance that a point i and a point j of two bodies may close in a step, the normal from j to i.
inline double may_close(Vec3d v_i, Vec3d v_j, Vec3d normal, double step_s) {
  const double i = -dot(v_i, normal), j = dot(v_j, normal);
  return step_s * std::max(2 * (i + j), std::max(0.0, i) + std::max(0.0, j));
}

inline auto moved_by(Vec3d shift) {
  return [shift](Vec3d p) { return p + shift; };
}

inline Vec3d rotated_about_z(Vec3d p, double angle) {
  return {std::cos(angle) * p.x - std::sin(angle) * p.y,
          std::sin(angle) * p.x + std::cos(angle) * p.y, p.z};
}

/// Position of a body point from the state.
inline Vec3d recomputed_position(const BodyPoint& point, const std::vector<Vec3d>& x) {
  Vec3d sum{};
  for (std::size_t k = 0; k < static_cast<std::size_t>(point.n_node); ++k) {
    sum += point.weight[k] * x[static_cast<std::size_t>(point.node[k])];
  }
  return sum;
}

/// Two random bodies, deformed, turned and moving, that touch or overlap.
inline ProximityScene random_pair(std::uint64_t seed, double speed) {
  RandomScene random(seed);
  ProximityScene scene;
  for (int body = 0; body < 2; ++body) {
    const TetMesh mesh =
        random.uniform(0, 1) < 0.5
            ? mesh_ball(0.1, static_cast<int>(random.uniform(30, 150)))
            : mesh_box({0.2, 0.15, 0.1}, {3, static_cast<int>(random.uniform(1, 4)), 2});
    const Pose pose{random.vector(0.08), rotation_matrix(random.rotation())};
    const Vec3d stretch = Vec3d{1, 1, 1} + random.vector(0.4);
    scene.add_soft(mesh, [&](Vec3d p) {
      return pose.to_world({stretch.x * p.x, stretch.y * p.y + 0.3 * p.x, stretch.z * p.z}) +
             random.vector(0.002);
    });
  }
  for (Vec3d& v : scene.v) v = random.vector(speed);
  scene.margin = random.uniform(0, 0.03);
  return scene;
}

/// A mat folded over along its longer side: half lies flat, the other half above it, upside down.
/// @param length of the mat, @param radius  of the fold's inner face
inline Vec3d folded(Vec3d p, double length, double radius, double thickness) {
  const double arc = std::numbers::pi * (radius + thickness);
  const double flat = 0.5 * (length - arc);
  if (p.x <= flat) return p;
  const double r = radius + thickness - p.z;  // around (flat, ., radius + thickness)
  const double angle = std::min((p.x - flat) / (radius + thickness), std::numbers::pi);
  const double beyond = std::max(p.x - flat - arc, 0.0);
  return {flat + r * std::sin(angle) - beyond, p.y, radius + thickness - r * std::cos(angle)};
}

}  // namespace nodia::test
