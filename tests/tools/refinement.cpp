/// What `nodia scale` refines is the body of the scenario.
#include "tools/compare/refinement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "fem/mesh/meshers.hpp"
#include "scenarios/build/scenario.hpp"

namespace nodia::studies {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;

Scene scene_of(const std::string& name) {
  return load_scenario(NODIA_SOURCE_DIR "/scenarios/" + name + "/" + name + ".yaml", {}).scene;
}

double volume(const TetMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.tets)
    sum += tet_volume(
        mesh.nodes[static_cast<std::size_t>(t[0])], mesh.nodes[static_cast<std::size_t>(t[1])],
        mesh.nodes[static_cast<std::size_t>(t[2])], mesh.nodes[static_cast<std::size_t>(t[3])]);
  return sum;
}

/// Lowest and highest coordinates of a node set.
std::pair<Vec3d, Vec3d> box_of(const TetMesh& mesh, const std::vector<std::int32_t>& set) {
  Vec3d low{HUGE_VAL, HUGE_VAL, HUGE_VAL}, high = -low;
  for (const std::int32_t node : set)
    for (int axis = 0; axis < 3; ++axis) {
      low[axis] = std::min(low[axis], mesh.nodes[static_cast<std::size_t>(node)][axis]);
      high[axis] = std::max(high[axis], mesh.nodes[static_cast<std::size_t>(node)][axis]);
    }
  return {low, high};
}

/// The finer body has the same mass, and node sets at the same places.
void expect_same_body(const TetMesh& mesh, const TetMesh& finer) {
  EXPECT_NEAR(volume(finer) / volume(mesh), 1, 1e-12);
  for (const auto& [name, set] : mesh.node_sets) {
    ASSERT_TRUE(finer.node_sets.contains(name)) << name;
    const auto [low, high] = box_of(mesh, set);
    const auto [finer_low, finer_high] = box_of(finer, finer.node_sets.at(name));
    EXPECT_NEAR(norm(finer_low - low) + norm(finer_high - high), 0, 1e-12) << name;
    EXPECT_GT(finer.node_sets.at(name).size(), set.size()) << name;
  }
}

class RefinedScenario : public ::testing::TestWithParam<const char*> {};

TEST_P(RefinedScenario, HasTheMassAndTheNodeSetsOfItsBody) {
  const Scene scene = scene_of(GetParam());
  const TetMesh& mesh = scene.soft_bodies.front().mesh;
  const int n_node = static_cast<int>(mesh.nodes.size());
  const std::vector<int> sizes = refinement_sizes(scene, {4 * n_node, 8 * n_node});
  EXPECT_TRUE(std::is_sorted(sizes.begin(), sizes.end()));
  const Scene finer = refined(scene, sizes.back());
  expect_same_body(mesh, finer.soft_bodies.front().mesh);
  EXPECT_NEAR(static_cast<double>(finer.soft_bodies.front().mesh.nodes.size()), sizes.back(),
              0.05 * sizes.back());
  EXPECT_NO_THROW(Simulation({finer}, SolverOptions{}));
}

INSTANTIATE_TEST_SUITE_P(OfTheRepository, RefinedScenario,
                         ::testing::Values("soft_mat", "soft_ball", "soft_gripper", "grip_creep"));

TEST(Refinement, OfASheetIsMeshedWithTheNodesAskedFor) {
  const Scene scene = scene_of("soft_mat");
  EXPECT_THAT(refinement_sizes(scene, {6000, 500, 500}), ElementsAre(500, 6000));
}

TEST(Refinement, OfAnyOtherBodyGivesTheSizesOfItsSubdivisions) {
  Scene scene = scene_of("soft_ball");
  scene.soft_bodies.front().mesh = mesh_ball(0.05, 100);
  const int n_node = static_cast<int>(scene.soft_bodies.front().mesh.nodes.size());
  const std::vector<int> sizes = refinement_sizes(scene, {50, 60, 1000, 5000, 20000});
  EXPECT_THAT(sizes, Each(Ge(n_node)));
  EXPECT_EQ(sizes.front(), n_node);
  EXPECT_EQ(std::set<int>(sizes.begin(), sizes.end()).size(), sizes.size());
  for (const int size : sizes)
    EXPECT_EQ(static_cast<int>(refined(scene, size).soft_bodies.front().mesh.nodes.size()), size);
}

/// A node set that is not a face of the sheet cannot be meshed anew.
TEST(Refinement, OfASheetWithNodeSetsOfItsOwnKeepsThem) {
  Scene scene = scene_of("soft_mat");
  TetMesh& mesh = scene.soft_bodies.front().mesh;
  mesh = mesh_mat({0.2, 0.2, 0.01}, 200);
  std::vector<std::int32_t> half;
  for (const std::int32_t node : mesh.node_sets.at("z_min"))
    if (mesh.nodes[static_cast<std::size_t>(node)].x <= 0.1) half.push_back(node);
  mesh.node_sets["half"] = half;
  const std::vector<int> sizes = refinement_sizes(scene, {1600});
  const TetMesh finer = refined(scene, sizes.front()).soft_bodies.front().mesh;
  EXPECT_TRUE(finer.node_sets.contains("half"));
  expect_same_body(mesh, finer);
}

}  // namespace
}  // namespace nodia::studies
