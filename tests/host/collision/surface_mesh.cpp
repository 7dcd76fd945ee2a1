#include "host/collision/surface_mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Volume enclosed by the surface.
double enclosed_volume(const SurfaceMesh& s) {
  double volume = 0;
  for (const auto& [a, b, c] : s.triangles) {
    const auto at = [&](std::int32_t i) { return s.rest[static_cast<std::size_t>(i)]; };
    volume += dot(at(a), cross(at(b), at(c))) / 6;
  }
  return volume;
}

void expect_consistent(const SurfaceMesh& s) {
  ASSERT_TRUE(std::is_sorted(s.nodes.begin(), s.nodes.end()));
  for (std::int32_t t = 0; t < s.n_triangle(); ++t) {
    const auto& triangle = s.triangles[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t a = triangle[k], b = triangle[(k + 1) % 3];
      const std::int32_t e = s.triangle_edges[static_cast<std::size_t>(t)][k];
      EXPECT_EQ(s.edges[static_cast<std::size_t>(e)],
                (SurfaceMesh::Edge{std::min(a, b), std::max(a, b)}));
      const auto has = [&](std::span<const std::int32_t> list) {
        return std::find(list.begin(), list.end(), t) != list.end();
      };
      EXPECT_TRUE(has(s.triangles_of_vertex(a)));
      EXPECT_TRUE(has(s.triangles_of_edge(e)));
    }
  }
  EXPECT_EQ(s.around_vertex.size(), 3 * s.triangles.size());
  EXPECT_EQ(s.around_edge.size(), 3 * s.triangles.size());
  EXPECT_EQ(std::set<SurfaceMesh::Edge>(s.edges.begin(), s.edges.end()).size(), s.edges.size());
}

TEST(SurfaceMesh, OfBuiltInMeshesIsClosedOutwardAndOfTheRightSize) {
  const TetMesh box = mesh_box({1, 2, 3}, {2, 3, 4});
  const SurfaceMesh s = surface_of(box);
  expect_consistent(s);
  EXPECT_TRUE(s.is_closed);
  EXPECT_EQ(s.n_triangle(), 2 * 2 * (2 * 3 + 3 * 4 + 4 * 2));
  EXPECT_EQ(s.n_vertex() - s.n_edge() + s.n_triangle(), 2);  // Euler
  EXPECT_NEAR(enclosed_volume(s), 6, 1e-12);
  for (const TetMesh& mesh : {mesh_ball(0.5, 300), mesh_mat({1, 1, 0.05}, 600)}) {
    const SurfaceMesh surface = surface_of(mesh);
    expect_consistent(surface);
    EXPECT_TRUE(surface.is_closed);
    EXPECT_EQ(surface.n_vertex() - surface.n_edge() + surface.n_triangle(), 2);
    double volume = 0;
    for (const auto& [a, b, c, d] : mesh.tets) {
      const auto at = [&](std::int32_t i) { return mesh.nodes[static_cast<std::size_t>(i)]; };
      volume += tet_volume(at(a), at(b), at(c), at(d));
    }
    EXPECT_NEAR(enclosed_volume(surface), volume, 1e-12);
  }
}

TEST(SurfaceMesh, SolidsThatTouchAlongAnEdgeAreClosedAndASheetIsNot) {
  const std::vector<Vec3d> nodes{{0, 0, 0}, {0, 0, 1},  {1, 0, 0},
                                 {0, 1, 0}, {-1, 0, 0}, {0, -1, 0}};
  const TetMesh two{nodes, {{0, 2, 3, 1}, {0, 4, 5, 1}}, {}};
  const SurfaceMesh s = surface_of(two);
  expect_consistent(s);
  EXPECT_TRUE(s.is_closed);
  EXPECT_EQ(s.triangles_of_edge(0).size(), 4u);  // the common edge (0, 1)
  const SurfaceMesh sheet = make_surface(nodes, {{0, 2, 3}, {0, 3, 4}});
  expect_consistent(sheet);
  EXPECT_FALSE(sheet.is_closed);
  EXPECT_EQ(sheet.nodes, (std::vector<std::int32_t>{0, 2, 3, 4}));
  EXPECT_NEAR(sheet.mean_edge_length(), (3 + 2 * std::sqrt(2.0)) / 5, 1e-15);
}

TEST(SurfaceMesh, RefusesTrianglesThatAreNone) {
  const std::vector<Vec3d> nodes(3);
  EXPECT_THROW(make_surface(nodes, {{0, 1, 3}}), InputError);
  EXPECT_THROW(make_surface(nodes, {{0, -1, 2}}), InputError);
  EXPECT_THROW(make_surface(nodes, {{0, 1, 1}}), InputError);
  EXPECT_EQ(make_surface(nodes, {}).n_vertex(), 0);
  EXPECT_EQ(make_surface(nodes, {}).mean_edge_length(), 0);
}

}  // namespace
}  // namespace nodia
