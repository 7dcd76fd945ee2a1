#include "fem/mesh/tet_mesh.hpp"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>

#include "fem/mesh/meshers.hpp"

namespace nodia {
namespace {

TEST(TetVolume, IsSigned) {
  EXPECT_DOUBLE_EQ(tet_volume({0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}), 1.0 / 6);
  EXPECT_DOUBLE_EQ(tet_volume({0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}), -1.0 / 6);
}

TEST(BoundaryFaces, OfOneTetrahedronPointOutward) {
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  mesh.tets = {{0, 1, 2, 3}};
  const auto faces = boundary_faces(mesh);
  ASSERT_EQ(faces.size(), 4u);
  const Vec3d middle{0.25, 0.25, 0.25};
  for (const auto& f : faces) {
    const Vec3d a = mesh.nodes[f[0]];
    const Vec3d normal = cross(mesh.nodes[f[1]] - a, mesh.nodes[f[2]] - a);
    EXPECT_GT(dot(normal, a - middle), 0);
  }
}

/// Every face of every tetrahedron, counted by its nodes: an outer face is in one tetrahedron only.
TEST(BoundaryFaces, AgreeWithCountingOnARandomPartOfABox) {
  TetMesh mesh = mesh_box({1, 1, 1}, {4, 3, 3});
  std::mt19937 random(5);
  std::erase_if(mesh.tets, [&](const auto&) { return random() % 3 == 0; });
  std::map<std::set<std::int32_t>, int> count;
  for (const auto& t : mesh.tets) {
    for (int k = 0; k < 4; ++k) {
      std::set<std::int32_t> face(t.begin(), t.end());
      face.erase(t[k]);
      ++count[face];
    }
  }
  std::set<std::set<std::int32_t>> expected, found;
  for (const auto& [face, n] : count) {
    if (n == 1) expected.insert(face);
  }
  for (const auto& f : boundary_faces(mesh)) found.insert({f[0], f[1], f[2]});
  EXPECT_EQ(found, expected);
}

TEST(BoundaryFaces, OfAnEmptyMeshAreNone) {
  EXPECT_TRUE(boundary_faces({}).empty());
}

TEST(SortAlong, KeepsTheBodyAndOrdersItsNodes) {
  TetMesh mesh = mesh_box({3, 1, 1}, {3, 2, 2});
  const auto as_points = [](const TetMesh& m) {
    std::multiset<std::vector<std::array<double, 3>>> tets;
    for (const auto& t : m.tets) {
      std::vector<std::array<double, 3>> points;
      for (const auto i : t) points.push_back({m.nodes[i].x, m.nodes[i].y, m.nodes[i].z});
      tets.insert(points);
    }
    return tets;
  };
  const auto before = as_points(mesh);
  sort_along(mesh, {0, -1, 0});
  EXPECT_EQ(as_points(mesh), before);
  for (std::size_t i = 1; i < mesh.nodes.size(); ++i)
    EXPECT_GE(mesh.nodes[i - 1].y, mesh.nodes[i].y);
  for (const auto i : mesh.node_sets.at("x_max")) EXPECT_EQ(mesh.nodes[i].x, 3);
  EXPECT_EQ(mesh.node_sets.at("x_max").size(), 9u);
  EXPECT_TRUE(std::is_sorted(mesh.node_sets.at("x_max").begin(), mesh.node_sets.at("x_max").end()));
}

}  // namespace
}  // namespace nodia
