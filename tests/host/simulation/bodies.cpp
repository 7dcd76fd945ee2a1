/// Scenes with every kind of body at once: batches, threads and saved states repeat to the bit, and
/// momentum is balanced.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "fem/robot/urdf.hpp"
#include "host/solvers/solver_options.hpp"
#include "tests/support/robots.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {
namespace {

/// A soft box on the floor under a rigid ball, a cable over both, a gripper beside them.
Scene everything(double youngs_modulus_Pa) {
  Scene scene = box_scene({0.1, 0.1, 0.04}, {4, 4, 2}, {-0.05, -0.05, 0.0005});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.soft_bodies[0].material.youngs_modulus_Pa = youngs_modulus_Pa;
  scene.obstacles.push_back(floor_obstacle(0.4));
  RigidBodyDescription ball;
  ball.name = "ball";
  ball.shape.kind = ShapeKind::sphere;
  ball.shape.radius = 0.02;
  ball.mass_kg = 0.05;
  ball.inertia_kg_m2 = solid_inertia(ball.shape, ball.mass_kg);
  ball.pose.position = {0.005, 0.003, 0.062};
  scene.rigid_bodies.push_back(ball);
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{-0.1, 0.03, 0.045}, {0.1, 0.03, 0.045}};
  cable.links = 20;
  cable.material.damping_s = 1e-3;
  scene.cables.push_back(cable);
  RobotSceneDescription gripper;
  gripper.name = "gripper";
  gripper.robot = read_urdf(source_file("scenarios/assets/free_gripper/free_gripper.urdf"));
  gripper.base.position = {0.3, 0, 0.3};
  gripper.joint_drives.push_back({"base_z", 3000, 100, {{0, 0}, {0.1, -0.05}}});
  scene.robots.push_back(gripper);
  return scene;
}

bool same_state(const State& a, const State& b) {
  const auto equal = [](const auto& x, const auto& y) {
    return x.size() == y.size() &&
           (x.empty() || std::memcmp(x.data(), y.data(), x.size() * sizeof x[0]) == 0);
  };
  return equal(a.x, b.x) && equal(a.v, b.v) && equal(a.frames, b.frames) && equal(a.q, b.q);
}

State state_after(const std::vector<Scene>& scenes, int env, int steps, int threads) {
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-4;
  options.max_iterations = 20000;
  options.execution.threads = threads;
  Simulation simulation(scenes, options);
  for (int k = 0; k < steps; ++k)
    for (const StepRecord& record : simulation.step())
      EXPECT_EQ(record.solve.status, SolveStatus::converged)
          << "step " << k << " " << record.solve.reason << " " << record.solve.relative_residual
          << " " << record.solve.natural_map_error;
  return simulation.state(env);
}

TEST(Bodies, AnEnvironmentOfABatchHasTheBitsOfItsSoloRun) {
  const std::vector<Scene> scenes{everything(1e5), everything(2e5), everything(4e5)};
  for (int e = 0; e < 3; ++e)
    EXPECT_TRUE(same_state(state_after(scenes, e, 6, 2),
                           state_after({scenes[static_cast<std::size_t>(e)]}, 0, 6, 1)))
        << e;
}

TEST(Bodies, TheNumberOfThreadsDoesNotMatter) {
  EXPECT_TRUE(
      same_state(state_after({everything(1e5)}, 0, 5, 1), state_after({everything(1e5)}, 0, 5, 2)));
}

TEST(Bodies, ComeToRestCarriedByTheFloor) {
  Scene scene = everything(1e5);
  scene.robots.clear();
  scene.soft_bodies[0].material.rayleigh_mass_1_s = 5;
  SolverOptions options;
  options.solver = "cond";
  options.tolerance = 1e-5;
  options.max_iterations = 20000;
  Simulation simulation({scene}, options);
  double weight = 0.05 * 9.81;
  const double link = M_PI * 4e-6 * 0.2 * 1000;
  weight += link * 9.81 + 0.1 * 0.1 * 0.04 * 1000 * 9.81;
  Vec3d force{};
  for (int k = 0; k < 100; ++k) force = simulation.step().front().obstacle_force_N;
  EXPECT_NEAR(force.z, weight, 2e-3 * weight);
  EXPECT_LT(std::hypot(force.x, force.y), 2e-3 * weight);
}

TEST(Bodies, FreeBodiesInContactKeepTheirMomentum) {
  Scene scene = everything(1e5);
  scene.robots.clear();
  scene.obstacles.clear();
  scene.gravity_m_s2 = {};
  scene.rigid_bodies[0].velocity_m_s = {0.2, 0, -1};
  scene.rigid_bodies[0].angular_velocity_rad_s = {3, -5, 2};
  Simulation simulation({scene}, tight(1e-11));
  const auto momentum = [&] {
    const State& s = simulation.state();
    const BodyLayout& layout = simulation.layout();
    Vec3d p{};
    for (int i = 0; i < layout.n_node(); ++i) p += simulation.model().mass()[i] * s.v[i];
    const double link = M_PI * 4e-6 * 0.01 * 1000;
    for (int f = 0; f < layout.n_frame(); ++f)
      p += (f == 0 ? 0.05 : link) * s.v[static_cast<std::size_t>(layout.frame_row(f))];
    return p;
  };
  const Vec3d start = momentum();
  int in_contact = 0;
  for (int k = 0; k < 30; ++k) in_contact += simulation.step().front().n_contact > 0;
  EXPECT_GT(in_contact, 5);
  EXPECT_LT(norm(momentum() - start), 1e-10 * 0.05);
}

/// Drives that nothing can hold back: a spring alone brings its joint to where the path is at the
/// end of every step, a damper alone to the path's rate.
TEST(Bodies, JointsFollowTheirPathsAsTheyEase) {
  for (const PathProfile profile : {PathProfile::minimum_jerk, PathProfile::linear}) {
    const auto slide = [&](double stiffness, double damping) {
      Scene scene;
      RobotSceneDescription& robot = scene.robots.emplace_back();
      robot.name = "slider";
      robot.robot = slider();
      robot.joint_drives.push_back(
          {"to_mass", stiffness, damping, {{0.11, 0}, {0.51, 0.2}, {0.61, 0.1}}, profile});
      scene.time.step_s = 0.02;
      return scene;
    };
    Simulation spring({slide(1e12, 0)}, SolverOptions{}), damper({slide(0, 1e12)}, SolverOptions{});
    for (int k = 1; k <= 35; ++k) {
      spring.step();
      damper.step();
      const double t = 0.02 * k;
      const bool back = t > 0.51;
      const double way = back ? -0.1 : 0.2, time_s = back ? 0.1 : 0.4,
                   r = std::clamp((t - (back ? 0.51 : 0.11)) / time_s, 0.0, 1.0);
      const bool linear = profile == PathProfile::linear;
      const double share = linear ? r : r * r * r * (10 - 15 * r + 6 * r * r);
      const double slope = linear ? r > 0 && r < 1 : 30 * r * r * (1 - r) * (1 - r);
      EXPECT_NEAR(spring.state().q[0], (back ? 0.2 : 0) + way * share, 1e-7) << t;
      EXPECT_NEAR(damper.state().v[0].x, way / time_s * slope, 1e-7) << t;
    }
  }
}

}  // namespace
}  // namespace nodia::test
