/// Scenes of a batch that differ in mesh, material, friction and initial state.
#pragma once

#include <random>
#include <vector>

#include "tests/support/same_bits.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {

/// A box of random size that is thrown and spun onto a floor beside a ball that moves; every other
/// one is held at one face by a moving grip.
inline Scene random_scene(unsigned seed) {
  std::mt19937_64 engine(seed);
  const auto uniform = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine);
  };
  const auto cells = [&] { return std::uniform_int_distribution<int>(1, 4)(engine); };
  Scene scene = box_scene({uniform(0.05, 0.2), uniform(0.05, 0.2), uniform(0.02, 0.1)},
                          {cells(), cells(), cells()}, {0, 0, uniform(0.0005, 0.004)});
  scene.name = "random";
  scene.gravity_m_s2 = {0, 0, -9.81};
  SoftBodyDescription& body = scene.soft_bodies[0];
  body.material.youngs_modulus_Pa = uniform(3e4, 3e5);
  body.material.poissons_ratio = uniform(0.1, 0.45);
  body.material.density_kg_m3 = uniform(500, 2000);
  body.friction = uniform(0, 0.8);
  body.velocity = {uniform(-0.5, 0.5), uniform(-0.5, 0.5), uniform(-0.5, 0)};
  scene.obstacles.push_back(floor_obstacle(uniform(0, 0.3), uniform(0, 0.5)));
  ObstacleDescription ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = uniform(0.02, 0.05);
  ball.path.keys = {{0, {0.05, 0.05, -0.06}, {}}, {0.2, {0.05, 0.05, -0.02}, {}}};
  scene.obstacles.push_back(ball);
  if (seed % 2 == 0) {
    AttachmentDescription grip;
    grip.name = "grip";
    grip.body = "box";
    grip.node_set = "x_min";
    grip.path.keys = {{0, {0, 0, 0}, {}}, {0.2, {uniform(-0.02, 0.02), 0, 0.01}, {}}};
    scene.attachments.push_back(grip);
  }
  return scene;
}

/// Velocities moved by up to `size` [m/s] each way.
inline State shaken(State state, unsigned seed, double size) {
  std::mt19937_64 engine(seed);
  std::uniform_real_distribution<double> uniform(-size, size);
  for (Vec3d& v : state.v) v += Vec3d{uniform(engine), uniform(engine), uniform(engine)};
  return state;
}

inline bool same_bits(const State& a, const State& b) {
  return same_bits(a.x, b.x) && same_bits(a.frames, b.frames) && same_bits(a.q, b.q) &&
         same_bits(a.v, b.v) && a.step == b.step && a.time_s == b.time_s;
}

}  // namespace nodia::test
