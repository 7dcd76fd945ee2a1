#include "fem/mesh/repair_tets.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "fem/mesh/mesh_quality.hpp"
#include "fem/mesh/meshers.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

TEST(RepairTets, LeavesAGoodMeshAsItIs) {
  TetMesh mesh = mesh_ball(0.1, 200);
  const TetMesh before = mesh;
  EXPECT_EQ(repair_tets(&mesh), "");
  EXPECT_EQ(mesh.tets, before.tets);
  EXPECT_EQ(mesh.node_sets, before.node_sets);
}

TEST(RepairTets, TurnsLeftHandedTetrahedra) {
  std::mt19937 random(1);
  for (const double share : {0.1, 1.0}) {
    TetMesh mesh = mesh_box({1, 2, 3}, {3, 3, 3});
    std::size_t n = 0;
    for (auto& t : mesh.tets) {
      if (std::generate_canonical<double, 53>(random) >= share) continue;
      std::swap(t[random() % 2], t[2 + random() % 2]);
      ++n;
    }
    EXPECT_EQ(repair_tets(&mesh), std::to_string(n) + " left-handed tetrahedra were turned");
    const MeshQuality quality = check_mesh(mesh);
    EXPECT_TRUE(quality.usable());
    EXPECT_NEAR(quality.volume_m3, 6, 1e-12);
  }
}

TEST(RepairTets, DropsUnusedNodesAndRenumbersSets) {
  TetMesh mesh = mesh_box({1, 1, 1}, {2, 2, 2});
  const std::map<std::string, std::vector<std::int32_t>> before = mesh.node_sets;
  std::vector<Vec3d> nodes;
  for (const Vec3d p : mesh.nodes) {
    nodes.push_back({9, 9, 9});
    nodes.push_back(p);
  }
  mesh.nodes = nodes;
  for (auto& t : mesh.tets)
    for (std::int32_t& i : t) i = 2 * i + 1;
  for (auto& [name, set] : mesh.node_sets)
    for (std::int32_t& i : set) i = 2 * i + 1;
  mesh.node_sets.begin()->second.insert(mesh.node_sets.begin()->second.begin(), 0);
  EXPECT_EQ(repair_tets(&mesh), "27 nodes in no tetrahedron were dropped");
  EXPECT_TRUE(check_mesh(mesh).usable());
  EXPECT_EQ(mesh.node_sets, before);
}

/// A node that was pushed through the opposite face makes inverted tetrahedra that no turn mends.
TEST(RepairTets, DoesNotHideAMeshThatOverlapsItself) {
  TetMesh mesh = mesh_box({1, 1, 1}, {3, 3, 3});
  Vec3d& inner = *std::min_element(mesh.nodes.begin(), mesh.nodes.end(), [](Vec3d a, Vec3d b) {
    return norm(a - Vec3d{0.5, 0.5, 0.5}) < norm(b - Vec3d{0.5, 0.5, 0.5});
  });
  inner += Vec3d{0.8, 0.1, 0.2};
  repair_tets(&mesh);
  EXPECT_FALSE(check_mesh(mesh).inverted_tets.empty());
}

TEST(RepairTets, LeavesBadIndicesToTheCheck) {
  TetMesh mesh = mesh_box({1, 1, 1}, {1, 1, 1});
  mesh.tets[0][0] = 99;
  EXPECT_EQ(repair_tets(&mesh), "");
  EXPECT_FALSE(check_mesh(mesh).bad_index_tets.empty());
}

}  // namespace
}  // namespace nodia
