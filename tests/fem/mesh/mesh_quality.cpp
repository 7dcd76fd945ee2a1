#include "fem/mesh/mesh_quality.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "fem/mesh/meshers.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TetMesh good_mesh() {
  return mesh_box({1, 1, 1}, {2, 2, 2});
}

std::string message_of(const TetMesh& mesh) {
  try {
    require_usable(mesh, "a.msh");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(TetShape, IsOneForARegularTetrahedronAndScaleFree) {
  const Vec3d a{1, 1, 1}, b{-1, 1, -1}, c{1, -1, -1}, d{-1, -1, 1};
  EXPECT_NEAR(tet_shape(a, b, c, d), 1, 1e-14);
  EXPECT_NEAR(tet_shape(1e-3 * a, 1e-3 * b, 1e-3 * c, 1e-3 * d), 1, 1e-14);
  EXPECT_EQ(tet_shape(a, c, b, d), 0);
  EXPECT_EQ(tet_shape(a, b, c, 0.5 * (a + b)), 0);
}

TEST(CheckMesh, GoodMeshIsUsableWithItsMeasures) {
  const MeshQuality quality = check_mesh(good_mesh());
  EXPECT_TRUE(quality.usable());
  EXPECT_EQ(quality.report(), "");
  EXPECT_NEAR(quality.volume_m3, 1, 1e-14);
  EXPECT_DOUBLE_EQ(quality.min_edge_m, 0.5);
  EXPECT_DOUBLE_EQ(quality.max_edge_m, std::sqrt(0.75));
  EXPECT_NO_THROW(require_usable(good_mesh(), "box"));
}

TEST(CheckMesh, FindsInvertedTetrahedra) {
  TetMesh mesh = good_mesh();
  for (const int e : {3, 17}) std::swap(mesh.tets[e][0], mesh.tets[e][1]);
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.inverted_tets, ElementsAre(3, 17));
  EXPECT_FALSE(quality.usable());
  EXPECT_THAT(quality.report(),
              HasSubstr("2 inverted tetrahedra (3, 17): swap two of their nodes"));
}

TEST(CheckMesh, FindsFlatTetrahedra) {
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0.3, 0.3, 1e-10}};
  mesh.tets = {{0, 1, 2, 3}, {0, 1, 2, 4}, {0, 2, 1, 4}};
  MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.flat_tets, ElementsAre(1, 2));
  EXPECT_THAT(quality.inverted_tets, IsEmpty());
  EXPECT_THAT(quality.report(), HasSubstr("2 flat tetrahedra (1, 2): "));
  EXPECT_FALSE(quality.usable());
  for (Vec3d& p : mesh.nodes) p = 1e-5 * p;
  EXPECT_THAT(check_mesh(mesh).flat_tets, ElementsAre(1, 2))
      << "the rule does not depend on the unit";
}

TEST(CheckMesh, FindsDuplicateTetrahedraInAnyNodeOrder) {
  TetMesh mesh = good_mesh();
  const auto [a, b, c, d] = mesh.tets[5];
  mesh.tets.push_back({b, c, a, d});
  mesh.tets.push_back({a, b, c, d});
  const int n = static_cast<int>(mesh.tets.size());
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.duplicate_tets, ElementsAre(n - 2, n - 1));
  EXPECT_THAT(quality.report(), HasSubstr("2 duplicate tetrahedra (48, 49): keep one"));
}

TEST(CheckMesh, FindsCoincidentNodes) {
  TetMesh mesh = good_mesh();
  const int n = static_cast<int>(mesh.nodes.size());
  mesh.nodes.push_back(mesh.nodes[4]);
  mesh.nodes.push_back(mesh.nodes[4] + Vec3d{1e-9, 0, 0});
  mesh.nodes.push_back(mesh.nodes[4] + Vec3d{1e-8, 0, 0});
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.duplicate_nodes, ElementsAre(n, n + 1));
  EXPECT_THAT(quality.report(),
              HasSubstr("2 nodes at the place of an earlier node (27, 28): merge"));
}

TEST(CheckMesh, CoincidentNodesAgreeWithAllPairs) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  TetMesh mesh;
  mesh.nodes = {{0, 0, 0}, {1, 1, 1}};
  const double tolerance = 1e-9 * std::sqrt(3.0);
  for (int k = 0; k < 300; ++k) {
    Vec3d p{unit(random), unit(random), unit(random)};
    if (k % 3 == 0) {
      const double step = 2.2 * tolerance;
      p = mesh.nodes[random() % mesh.nodes.size()] + Vec3d{step * (unit(random) - 0.5),
                                                           step * (unit(random) - 0.5),
                                                           step * (unit(random) - 0.5)};
    }
    mesh.nodes.push_back(p);
  }
  // The first node of each place stands for it.
  std::vector<std::int32_t> expected, kept;
  for (std::int32_t i = 0; i < 302; ++i) {
    const bool seen = std::any_of(kept.begin(), kept.end(), [&](std::int32_t j) {
      return norm(mesh.nodes[i] - mesh.nodes[j]) <= tolerance;
    });
    (seen ? expected : kept).push_back(i);
  }
  EXPECT_GT(expected.size(), 30u);
  EXPECT_LT(expected.size(), 100u);
  EXPECT_EQ(check_mesh(mesh).duplicate_nodes, expected);
}

TEST(CheckMesh, AllNodesInOnePlaceTakeNoQuadraticTime) {
  TetMesh mesh;
  mesh.nodes.assign(200000, {0.1, 0.2, 0.3});
  EXPECT_EQ(check_mesh(mesh).duplicate_nodes.size(), 199999u);
  mesh.nodes.push_back({1e9, 0, 0});
  EXPECT_EQ(check_mesh(mesh).duplicate_nodes.size(), 199999u);
}

TEST(CheckMesh, FindsDanglingNodes) {
  TetMesh mesh = good_mesh();
  mesh.nodes.insert(mesh.nodes.end(), 7, Vec3d{});
  for (std::size_t k = 27; k < mesh.nodes.size(); ++k)
    mesh.nodes[k] = {2.0 + static_cast<double>(k), 0, 0};
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.dangling_nodes, ElementsAre(27, 28, 29, 30, 31, 32, 33));
  EXPECT_THAT(quality.report(),
              HasSubstr("7 nodes in no tetrahedron (27, 28, 29, 30, 31, ...): remove"));
  EXPECT_FALSE(quality.usable());
}

TEST(CheckMesh, FindsBadIndices) {
  TetMesh mesh = good_mesh();
  mesh.tets[1][2] = 27;
  mesh.tets[2][0] = -1;
  mesh.tets[6][3] = mesh.tets[6][1];
  mesh.tets[9][0] = std::numeric_limits<std::int32_t>::min();
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.bad_index_tets, ElementsAre(1, 2, 6, 9));
  EXPECT_THAT(quality.report(),
              HasSubstr("4 tetrahedra with missing or repeated nodes (1, 2, 6, 9): "));
  EXPECT_FALSE(quality.usable());
}

TEST(CheckMesh, FindsNonFiniteAndOverflowingNodes) {
  TetMesh mesh = good_mesh();
  mesh.nodes[2].y = std::nan("");
  mesh.nodes[8].z = -HUGE_VAL;
  const MeshQuality quality = check_mesh(mesh);
  EXPECT_THAT(quality.non_finite_nodes, ElementsAre(2, 8));
  EXPECT_FALSE(quality.usable());

  TetMesh huge = good_mesh();
  for (Vec3d& p : huge.nodes) p = 1e300 * p;
  EXPECT_FALSE(check_mesh(huge).usable());
  EXPECT_THAT(check_mesh(huge).duplicate_nodes, IsEmpty());
}

TEST(CheckMesh, EmptyMeshIsNotUsable) {
  EXPECT_FALSE(check_mesh({}).usable());
  EXPECT_THAT(message_of({}), HasSubstr("no tetrahedra"));
}

TEST(RequireUsable, NamesThePlaceAndEveryDefectOnOneLine) {
  TetMesh mesh = good_mesh();
  std::swap(mesh.tets[3][0], mesh.tets[3][1]);
  mesh.nodes.push_back({5, 5, 5});
  const std::string message = message_of(mesh);
  EXPECT_THAT(message, HasSubstr("a.msh: mesh cannot be used: 1 inverted tetrahedra (3)"));
  EXPECT_THAT(message, HasSubstr("; 1 nodes in no tetrahedron (27)"));
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace nodia
