#include "host/scene/friction_table.hpp"

#include <gtest/gtest.h>

#include "host/scene/objects.hpp"

namespace nodia {
namespace {

/// An object of every kind, two of some, all with frictions of their own.
Scene scene_of_all() {
  Scene scene;
  double friction = 0.1;
  const auto add = [&](auto& objects, const char* name) {
    objects.emplace_back().name = name;
    objects.back().friction = friction += 0.1;
  };
  add(scene.soft_bodies, "mat");
  add(scene.obstacles, "floor");
  add(scene.rigid_bodies, "cube");
  add(scene.cables, "rope");
  add(scene.robots, "arm");
  add(scene.obstacles, "wall");
  add(scene.rigid_bodies, "ball");
  scene.friction_pairs = {{"mat", "floor", 0.01, 0.02, {1, 0, 0}},
                          {"wall", "ball", 0.03, 0.03, {}},
                          {"arm", "rope", 2, 3, {0, 1, 0}}};
  return scene;
}

TEST(FrictionTable, IsThatOfTheSceneForEveryPairInEitherOrder) {
  const Scene scene = scene_of_all();
  const FrictionTable table(scene);
  const Objects objects(scene);
  ASSERT_EQ(objects.size(), 7);
  int n_given = 0;
  for (std::int32_t a = 0; a < objects.size(); ++a) {
    for (std::int32_t b = 0; b < objects.size(); ++b) {
      const PairFriction expected = scene.friction_of(objects[a].surface, objects[b].surface);
      const ContactFriction found = table.of(a, b);
      EXPECT_EQ(found.friction_1, expected.friction_1) << a << " " << b;
      EXPECT_EQ(found.friction_2, expected.friction_2) << a << " " << b;
      EXPECT_EQ(norm(found.axis - expected.axis), 0) << a << " " << b;
      n_given += found.friction_1 < 0.1 || found.friction_1 > 1;
    }
  }
  EXPECT_EQ(n_given, 6);
}

}  // namespace
}  // namespace nodia
