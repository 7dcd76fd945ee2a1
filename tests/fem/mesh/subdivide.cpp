#include "fem/mesh/subdivide.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "fem/mesh/meshers.hpp"

namespace nodia {
namespace {

double volume(const TetMesh& mesh, const std::array<std::int32_t, 4>& t) {
  const auto node = [&](std::int32_t i) { return mesh.nodes[static_cast<std::size_t>(i)]; };
  return tet_volume(node(t[0]), node(t[1]), node(t[2]), node(t[3]));
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.tets) sum += volume(mesh, t);
  return sum;
}

/// Meshes whose nodes lie at no special place.
std::vector<TetMesh> meshes() {
  std::vector<TetMesh> all{mesh_box({1, 2, 0.7}, {3, 4, 2}), mesh_mat({1, 0.5, 0.02}, 300),
                           mesh_ball(0.3, 200)};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> shift(-0.02, 0.02);
  for (Vec3d& p : all[0].nodes) p += Vec3d{shift(random), shift(random), shift(random)};
  return all;
}

TEST(Subdivided, HasEightTetrahedraOfAnEighthForEach) {
  for (const TetMesh& mesh : meshes()) {
    const TetMesh finer = subdivided(mesh);
    ASSERT_EQ(finer.tets.size(), 8 * mesh.tets.size());
    for (std::size_t t = 0; t < finer.tets.size(); ++t)
      EXPECT_NEAR(volume(finer, finer.tets[t]) / volume(mesh, mesh.tets[t / 8]), 0.125, 1e-10);
    EXPECT_NEAR(volume(finer) / volume(mesh), 1, 1e-13);
  }
}

/// Every face is in two tetrahedra or on the surface, which has four times as many triangles: no
/// gaps and no hanging nodes.
TEST(Subdivided, IsConforming) {
  for (const TetMesh& mesh : meshes()) {
    const TetMesh finer = subdivided(mesh);
    EXPECT_EQ(boundary_faces(finer).size(), 4 * boundary_faces(mesh).size());
    std::vector<char> used(finer.nodes.size(), 0);
    for (const auto& t : finer.tets)
      for (const std::int32_t i : t) used[static_cast<std::size_t>(i)] = 1;
    EXPECT_EQ(std::count(used.begin(), used.end(), 0), 0);
  }
}

TEST(Subdivided, CarriesFacesAndTheSurface) {
  const TetMesh box = subdivided(mesh_box({1, 2, 0.7}, {1, 1, 1}));
  for (int axis = 0; axis < 3; ++axis)
    for (const bool high : {false, true}) {
      const std::string name =
          std::string(1, static_cast<char>('x' + axis)) + (high ? "_max" : "_min");
      const double face = high ? Vec3d{1, 2, 0.7}[axis] : 0;
      std::set<std::int32_t> expected;
      for (std::size_t i = 0; i < box.nodes.size(); ++i)
        if (std::fabs(box.nodes[i][axis] - face) < 1e-12)
          expected.insert(static_cast<std::int32_t>(i));
      const auto& set = box.node_sets.at(name);
      EXPECT_EQ(std::set<std::int32_t>(set.begin(), set.end()), expected) << name;
      EXPECT_TRUE(std::is_sorted(set.begin(), set.end()));
    }
  const TetMesh ball = subdivided(mesh_ball(0.3, 60));
  std::set<std::int32_t> surface;
  for (const auto& face : boundary_faces(ball)) surface.insert(face.begin(), face.end());
  const auto& set = ball.node_sets.at("surface");
  EXPECT_EQ(std::set<std::int32_t>(set.begin(), set.end()), surface);
}

/// Tetrahedra do not become ever thinner: those of a second subdivision are congruent to a few.
TEST(Subdivided, KeepsShapesWhenRepeated) {
  const auto worst = [](const TetMesh& mesh) {
    double least = 1;
    for (const auto& t : mesh.tets) {
      double longest = 0;
      for (int a = 0; a < 4; ++a)
        for (int b = 0; b < a; ++b)
          longest = std::max(longest, norm(mesh.nodes[static_cast<std::size_t>(t[a])] -
                                           mesh.nodes[static_cast<std::size_t>(t[b])]));
      least = std::min(least, volume(mesh, t) / std::pow(longest, 3));
    }
    return least;
  };
  for (const TetMesh& mesh : meshes()) {
    const TetMesh once = subdivided(mesh);
    EXPECT_GT(worst(subdivided(once)), 0.4 * worst(once));
  }
}

}  // namespace
}  // namespace nodia
