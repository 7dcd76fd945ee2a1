#include "host/scene/touching_pairs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

/// soft 0, rigid 1, cable 2, arm 3, hand 4, floor 5, wall 6
Scene one_of_each() {
  Scene scene;
  scene.soft_bodies.emplace_back().name = "soft";
  scene.rigid_bodies.emplace_back().name = "rigid";
  scene.cables.emplace_back().name = "cable";
  for (const char* name : {"arm", "hand"}) {
    RobotSceneDescription& robot = scene.robots.emplace_back();
    robot.name = name;
    robot.robot.links.resize(3);
    robot.robot.links[1].name = "inner";
    robot.robot.links[2].name = "tip";
    robot.robot.links[2].collisions.resize(1);
  }
  scene.obstacles.emplace_back().name = "floor";
  scene.obstacles.emplace_back().name = "wall";
  return scene;
}

std::size_t count(const Scene& scene) {
  return touching_pairs(scene).size();
}

TEST(TouchingPairs, AreAllButObstaclesAndThemselves) {
  const auto pairs = touching_pairs(one_of_each());
  EXPECT_EQ(pairs.size(), 7u * 6 / 2 - 1);
  EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
  for (const auto& [a, b] : pairs) {
    EXPECT_LT(a, b);
    EXPECT_LT(a, 5);
  }
}

TEST(TouchingPairs, BodiesTouchThemselvesWhereTheyMay) {
  Scene scene = one_of_each();
  scene.soft_bodies[0].self_contact = scene.cables[0].self_contact = true;
  EXPECT_EQ(count(scene), count(one_of_each()) + 2);
  const auto pairs = touching_pairs(scene);
  EXPECT_THAT(pairs.front(), Pair(0, 0));
  EXPECT_NE(std::find(pairs.begin(), pairs.end(), std::pair(2, 2)), pairs.end());
}

TEST(TouchingPairs, RobotsNeedShapesThatDoNotHoldTheOther) {
  Scene scene = one_of_each();
  scene.robots[0].collides = false;
  EXPECT_EQ(count(scene), count(one_of_each()) - 6);
  scene = one_of_each();
  scene.robots[0].robot.links[2].collisions.clear();
  EXPECT_EQ(count(scene), count(one_of_each()) - 6);
  scene = one_of_each();
  MountDescription& mount = scene.mounts.emplace_back();
  mount.body = "rigid";
  mount.robot = "arm";
  mount.link = "inner";
  EXPECT_EQ(count(scene), count(one_of_each()));  // the tip is free to touch it
  mount.link = "tip";
  EXPECT_EQ(count(scene), count(one_of_each()) - 1);
  scene.robots[0].robot.links[1].collisions.resize(1);
  EXPECT_EQ(count(scene), count(one_of_each()));
}

}  // namespace
}  // namespace nodia
