/// Piles of rigid bodies whose forces statics knows.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {

/// Boxes of 0.2 x 0.2 x 0.1 m and 1 kg, one on the other.
inline Scene stack_of_boxes(int n) {
  Scene scene;
  scene.name = "stack";
  scene.obstacles.push_back(floor_obstacle(0.5));
  for (int k = 0; k < n; ++k)
    scene.rigid_bodies.push_back(
        rigid_box("box" + std::to_string(k), {0.2, 0.2, 0.1}, 1, {0, 0, 0.05 + 0.1 * k}));
  return scene;
}

/// A wall of bricks, `n_wide` of 0.2 x 0.1 x 0.1 m and 2 kg a layer, side by side without a gap; a
/// layer lies a third of a brick aside of the one below, to the right and to the left in turn.
inline Scene wall_of_bricks(int n_wide, int n_high) {
  Scene scene;
  scene.name = "wall";
  scene.obstacles.push_back(floor_obstacle(0.5));
  for (int layer = 0; layer < n_high; ++layer)
    for (int k = 0; k < n_wide; ++k)
      scene.rigid_bodies.push_back(
          rigid_box("brick" + std::to_string(layer * n_wide + k), {0.2, 0.1, 0.1}, 2,
                    {0.2 * k + (layer % 2 == 1 ? 0.2 / 3 : 0), 0, 0.05 + 0.1 * layer}));
  return scene;
}

/// Cards of 100 x 60 x 2 mm and 10 g: pairs that lean on each other with `degrees` to the vertical,
/// `n_pair` on the floor, a card over the heads of any two neighbours, and so on up to one pair.
/// Edges stand 1 um above what carries them. Cards that lie side by side are as short as it takes.
inline Scene house_of_cards(int n_pair, double degrees, double friction) {
  Scene scene;
  scene.name = "card_house";
  scene.obstacles.push_back(floor_obstacle(friction));
  const double length = 0.1, width = 0.06, thick = 0.002, mass = 0.01, gap = 1e-6;
  const double angle = degrees * std::numbers::pi / 180;
  const double s = std::sin(angle), c = std::cos(angle);
  // Half the extents of a card that leans.
  const double high = (length * c + thick * s) / 2, wide = (length * s + thick * c) / 2;
  const double pitch = 4 * wide;
  double floor = 0, left = 0;
  const auto add = [&](Vec3d centre, double turn, double card_length) {
    RigidBodyDescription card = rigid_box("card" + std::to_string(scene.rigid_bodies.size()),
                                          {thick, width, card_length}, mass, centre);
    card.pose.rotation = {
        {{std::cos(turn), 0, std::sin(turn)}, {0, 1, 0}, {-std::sin(turn), 0, std::cos(turn)}}};
    card.friction = friction;
    scene.rigid_bodies.push_back(card);
  };
  for (int n = n_pair; n > 0; --n) {
    for (int k = 0; k < n; ++k) {
      const double middle = left + pitch * k;
      add({middle - wide - gap / 2, 0, floor + high + gap}, angle, length);
      add({middle + wide + gap / 2, 0, floor + high + gap}, -angle, length);
    }
    floor += 2 * high + gap;
    const double lying = n > 2 ? std::min(length, pitch - 1e-3) : length;
    for (int k = 0; k + 1 < n; ++k)
      add({left + pitch * (k + 0.5), 0, floor + thick / 2 + gap}, std::numbers::pi / 2, lying);
    floor += thick + gap;
    left += pitch / 2;
  }
  return scene;
}

}  // namespace nodia::test
