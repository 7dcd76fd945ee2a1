/// Small scenes that several tests start from.
#pragma once

#include <string>

#include "fem/mesh/meshers.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia::test {

/// A soft box `size` with its lower corner at `corner`; no gravity, nothing else.
inline Scene box_scene(Vec3d size, std::array<int, 3> cells, Vec3d corner = {}) {
  Scene scene;
  scene.name = "box";
  scene.gravity_m_s2 = {};
  SoftBodyDescription body;
  body.name = "box";
  body.mesh = mesh_box(size, cells);
  body.pose.position = corner;
  body.material.youngs_modulus_Pa = 1e5;
  body.material.poissons_ratio = 0.3;
  scene.soft_bodies.push_back(body);
  return scene;
}

/// The half-space z <= 0.
inline ObstacleDescription floor_obstacle(double friction, double restitution = 0) {
  ObstacleDescription floor;
  floor.name = "floor";
  floor.shape.kind = ShapeKind::half_space;
  floor.friction = friction;
  floor.restitution = restitution;
  return floor;
}

/// A mat on a floor, and under its middle a ball that rises out of the floor until `top_m` of its
/// centre at `end_s`: contacts come and go.
inline Scene mat_on_rising_ball(double youngs_modulus_Pa, int n_node, double top_m, double end_s) {
  Scene scene;
  scene.name = "mat";
  SoftBodyDescription mat;
  mat.name = "mat";
  mat.mesh = mesh_mat({0.3, 0.3, 0.006}, n_node);
  mat.material.youngs_modulus_Pa = youngs_modulus_Pa;
  mat.pose.position = {0, 0, 1e-4};
  scene.soft_bodies.push_back(mat);
  scene.obstacles.push_back(floor_obstacle(0.3));
  ObstacleDescription ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.03;
  ball.path.keys = {{0, {0.15, 0.15, -0.026}, {}}, {end_s, {0.15, 0.15, top_m}, {}}};
  scene.obstacles.push_back(ball);
  return scene;
}

inline SolverOptions tight(double tolerance) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = tolerance;
  options.max_iterations = 20000;
  return options;
}

/// Total mass [kg], centre of mass [m], momentum [kg m/s] and angular momentum about the origin [kg
/// m^2/s] of an environment.
struct Totals {
  double mass = 0;
  Vec3d centre{}, momentum{}, angular_momentum{};
};
inline Totals totals(const TetModel& model, const State& state) {
  Totals t;
  for (int i = 0; i < model.n_node(); ++i) {
    const double m = model.mass()[i];
    t.mass += m;
    t.centre += m * state.x[i];
    t.momentum += m * state.v[i];
    t.angular_momentum += m * cross(state.x[i], state.v[i]);
  }
  t.centre = (1 / t.mass) * t.centre;
  return t;
}

}  // namespace nodia::test
