/// A ball of 1 kg falls onto the floor: the force on the floor, step by step.
#include <cstdio>

#include "host/simulation/simulation.hpp"

int main() {
  nodia::Scene scene;
  scene.time.step_s = 0.01;
  nodia::RigidBodyDescription ball;
  ball.name = "ball";
  ball.shape.kind = nodia::ShapeKind::sphere;
  ball.shape.radius = 0.1;
  ball.mass_kg = 1;
  ball.inertia_kg_m2 = nodia::solid_inertia(ball.shape, ball.mass_kg);
  ball.pose.position = {0, 0, 0.12};
  scene.rigid_bodies.push_back(ball);
  nodia::ObstacleDescription floor;
  floor.name = "floor";
  floor.shape.kind = nodia::ShapeKind::half_space;
  scene.obstacles.push_back(floor);

  nodia::Simulation simulation({scene}, {});
  for (int step = 0; step < 20; ++step) {
    const nodia::StepRecord& record = simulation.step().front();
    std::printf("%.2f s  %.3f N\n", record.time_s, record.obstacle_force_N.z);
  }
}
