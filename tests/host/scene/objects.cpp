#include "host/scene/objects.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace nodia {
namespace {

using ::testing::ElementsAre;

/// Two of some kinds, given in an order that is not theirs.
Scene every_kind() {
  Scene scene;
  scene.obstacles.emplace_back().name = "floor";
  scene.robots.emplace_back().name = "arm";
  scene.robots.emplace_back().name = "hand";
  scene.cables.emplace_back().name = "cable";
  scene.rigid_bodies.emplace_back().name = "rigid";
  scene.soft_bodies.emplace_back().name = "soft";
  scene.obstacles.emplace_back().name = "wall";
  return scene;
}

TEST(Objects, AreNumberedInTheOrderOfTheirKinds) {
  const Objects objects(every_kind());
  EXPECT_THAT(objects.names(),
              ElementsAre("soft", "rigid", "cable", "arm", "hand", "floor", "wall"));
  for (std::int32_t k = 0; k < objects.size(); ++k) {
    EXPECT_EQ(objects.number(objects[k].id), k);
    EXPECT_EQ(objects.find(objects.name(k)), k);
  }
  EXPECT_EQ(objects[4].id.kind, ObjectKind::robot);
  EXPECT_EQ(objects[4].id.index, 1);
}

TEST(Objects, ThoseOfAnotherSceneHaveNoNumber) {
  const Objects objects(every_kind());
  EXPECT_EQ(objects.find("nobody"), -1);
  EXPECT_EQ(objects.number({ObjectKind::obstacle, 2, 0}), objects.size());
  EXPECT_EQ(objects.number({ObjectKind::cable, 1, 0}), objects.size());
}

TEST(Objects, KnowTheirSurfaces) {
  Scene scene = every_kind();
  scene.cables[0].friction = 0.7;
  scene.cables[0].self_contact = true;
  scene.rigid_bodies[0].restitution = 0.5;
  const Objects objects(scene);
  EXPECT_EQ(objects[2].surface.friction, 0.7);
  EXPECT_EQ(objects[2].surface.restitution, 0);
  EXPECT_EQ(objects[1].surface.restitution, 0.5);
  for (std::int32_t k = 0; k < objects.size(); ++k) EXPECT_EQ(objects[k].self_contact, k == 2);
}

}  // namespace
}  // namespace nodia
