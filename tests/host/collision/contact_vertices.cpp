#include "host/collision/contact_vertices.hpp"

#include <gtest/gtest.h>

#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

/// A square of n x n cells for every face of a cube of side 2 about the origin, vertices not shared
/// between faces merged.
TriangleMesh fine_cube(int n) {
  TriangleMesh mesh;
  const auto vertex = [&](Vec3d x) {
    for (std::size_t v = 0; v < mesh.vertices.size(); ++v)
      if (norm(mesh.vertices[v] - x) < 1e-9) return static_cast<std::int32_t>(v);
    mesh.vertices.push_back(x);
    return static_cast<std::int32_t>(mesh.vertices.size() - 1);
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (const double side : {-1.0, 1.0}) {
      const auto at = [&](int i, int j) {
        Vec3d x{};
        x[axis] = side;
        x[(axis + 1) % 3] = -1 + 2.0 * i / n;
        x[(axis + 2) % 3] = -1 + 2.0 * j / n;
        return vertex(x);
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
          const std::int32_t a = at(i, j), b = at(i + 1, j), c = at(i + 1, j + 1), d = at(i, j + 1);
          mesh.triangles.push_back({a, side > 0 ? b : c, side > 0 ? c : b});
          mesh.triangles.push_back({a, side > 0 ? c : d, side > 0 ? d : c});
        }
      }
    }
  }
  return mesh;
}

std::vector<Vec3d> contact_points(const TriangleMesh& mesh, double spacing_m) {
  const MeshSurface surface(mesh);
  std::vector<Vec3d> points;
  for (const std::int32_t v : contact_vertices(surface, spacing_m))
    points.push_back(surface.mesh().rest[static_cast<std::size_t>(v)]);
  return points;
}

int on_faces(Vec3d x) {
  return (std::fabs(x.x) > 1 - 1e-9) + (std::fabs(x.y) > 1 - 1e-9) + (std::fabs(x.z) > 1 - 1e-9);
}

TEST(ContactVertices, AreCornersAndEdgesNotFlatFaces) {
  const TriangleMesh cube = fine_cube(8);
  require_closed(cube, "cube");
  const std::vector<Vec3d> points = contact_points(cube, 1e-3);
  EXPECT_EQ(points.size(), 8u + 12 * 7);
  for (const Vec3d x : points) EXPECT_GE(on_faces(x), 2);
}

/// Of a coarse lattice's cells the corners stay, whatever lies beside them.
TEST(ContactVertices, CornersOutliveTheirNeighbours) {
  const std::vector<Vec3d> points = contact_points(fine_cube(8), 0.7);
  EXPECT_LT(points.size(), 8u + 12 * 7);
  int corners = 0;
  for (const Vec3d x : points) corners += on_faces(x) == 3;
  EXPECT_EQ(corners, 8);
}

TEST(ContactVertices, OfCurvedSurfacesAreAll) {
  const TriangleMesh ball = test::sphere_mesh(0.1, 24, 12);
  EXPECT_EQ(contact_points(ball, 1e-5).size(), ball.vertices.size());
  const std::vector<Vec3d> thinned = contact_points(ball, 0.05);
  EXPECT_LT(thinned.size(), 70u);
  EXPECT_GT(thinned.size(), 20u);
}

}  // namespace
}  // namespace nodia
