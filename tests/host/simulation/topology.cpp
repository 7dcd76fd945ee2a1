/// The topologies of the problems that scenes become: what they say, and who shares them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "fem/robot/urdf.hpp"
#include "kernels/core/rotation.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/source_file.hpp"

namespace nodia::test {
namespace {

/// Two soft boxes, one of them turned, two rigid balls, a cable and a gripper.
Scene every_body() {
  Scene scene = box_scene({0.1, 0.1, 0.04}, {2, 1, 1});
  SoftBodyDescription turned = scene.soft_bodies[0];
  turned.name = "turned";
  turned.pose = {{0, 0, 0.5}, rotation_exp(Vec3d{0.3, -0.2, 0.9})};
  scene.soft_bodies.push_back(turned);
  for (int k = 0; k < 2; ++k) {
    RigidBodyDescription ball;
    ball.name = "ball " + std::to_string(k);
    ball.shape.kind = ShapeKind::sphere;
    ball.shape.radius = 0.02;
    ball.pose.position = {1.0 + k, 0, 0};
    scene.rigid_bodies.push_back(ball);
  }
  CableDescription cable;
  cable.name = "cable";
  cable.points_m = {{-0.1, 2, 0.045}, {0.1, 2, 0.045}};
  cable.links = 5;
  scene.cables.push_back(cable);
  RobotSceneDescription gripper;
  gripper.name = "gripper";
  gripper.robot = read_urdf(source_file("scenarios/assets/free_gripper/free_gripper.urdf"));
  gripper.base.position = {0.3, 0, 3};
  scene.robots.push_back(gripper);
  return scene;
}

std::vector<std::shared_ptr<const Topology>> topologies_of(const std::vector<Scene>& scenes) {
  Simulation simulation(scenes, {});
  const ContactProblem problem = simulation.build_problem();
  EXPECT_NO_THROW(problem.validate());
  return problem.topology;
}

TEST(SceneTopology, NamesTheBodiesAndWhereTheirRowsAreAtRest) {
  const Scene scene = every_body();
  Simulation simulation({scene}, {});
  const ContactProblem problem = simulation.build_problem();
  ASSERT_NO_THROW(problem.validate());
  ASSERT_EQ(problem.topology.size(), 1u);
  const Topology& topology = *problem.topology[0];
  EXPECT_EQ(problem.A.pattern.get(), &topology.pattern);
  const auto n_node = static_cast<std::int32_t>(scene.soft_bodies[0].mesh.nodes.size());
  const std::int32_t frames = 2 * n_node, cable = frames + 4, robot = cable + 10;
  const std::int32_t n_row = problem.n_node();
  ASSERT_GT(n_row, robot);
  EXPECT_EQ(topology.bodies, (std::vector<Body>{{BodyKind::soft, 0, n_node},
                                                {BodyKind::soft, n_node, n_node},
                                                {BodyKind::rigid, frames, 2},
                                                {BodyKind::rigid, frames + 2, 2},
                                                {BodyKind::chain, cable, 10},
                                                {BodyKind::robot, robot, n_row - robot}}));
  ASSERT_EQ(topology.rest.size(), static_cast<std::size_t>(n_row));
  for (std::int32_t i = 0; i < n_node; ++i) {
    const Vec3d node = scene.soft_bodies[0].mesh.nodes[i];
    EXPECT_EQ(norm(topology.rest[i] - node), 0);
    EXPECT_NEAR(norm(topology.rest[n_node + i] - scene.soft_bodies[1].pose.rotation * node), 0,
                1e-16);
  }
  for (std::int32_t k = 0; k < 10; ++k)
    EXPECT_NEAR(norm(topology.rest[cable + k] - Vec3d{0.04 * (k / 2), 0, 0}), 0, 1e-15) << k;
  for (const std::int32_t i : {frames, frames + 1, frames + 2, frames + 3, robot, n_row - 1})
    EXPECT_EQ(norm(topology.rest[i]), 0) << i;
}

TEST(SceneTopology, IsSharedByEqualScenesWhereverTheirBodiesAre) {
  std::vector<Scene> scenes(6, every_body());
  scenes[1].soft_bodies[0].pose.position = {0, 5, 0};
  scenes[1].soft_bodies[0].material.youngs_modulus_Pa *= 3;
  scenes[1].rigid_bodies[0].pose.position = {9, 0, 0};
  scenes[2].obstacles.push_back(floor_obstacle(0.5));
  scenes[2].obstacles[0].path.keys = {{0, {0, 0, -5}, {}}};
  scenes[3].soft_bodies[0].pose.rotation = rotation_exp(Vec3d{0, 0, 1});
  scenes[4].rigid_bodies.pop_back();
  const std::vector<std::shared_ptr<const Topology>> topology = topologies_of(scenes);
  EXPECT_EQ(topology[1], topology[0]);
  EXPECT_EQ(topology[2], topology[0]);
  EXPECT_NE(topology[3], topology[0]);
  EXPECT_NE(topology[4], topology[0]);
  EXPECT_NE(topology[4], topology[3]);
  EXPECT_EQ(topology[5], topology[0]);
  EXPECT_EQ(topology[3]->bodies, topology[0]->bodies);
}

TEST(SceneTopology, KnowsWhatMountsAndAttachmentsCouple) {
  Scene held = every_body();
  AttachmentDescription grip;
  grip.name = "grip";
  grip.body = held.soft_bodies[0].name;
  grip.node_set = "x_min";
  grip.robot = "gripper";
  grip.link = held.robots[0].robot.links.back().name;
  held.attachments.push_back(grip);
  const std::vector<std::shared_ptr<const Topology>> topology = topologies_of({held, every_body()});
  EXPECT_EQ(topology[0]->bodies, topology[1]->bodies);
  EXPECT_GT(topology[0]->pattern.n_block(), topology[1]->pattern.n_block());
}

TEST(SceneTopology, OfManyCopiesIsOne) {
  const std::vector<std::shared_ptr<const Topology>> topology =
      topologies_of(std::vector<Scene>(200, box_scene({0.1, 0.1, 0.1}, {1, 1, 1})));
  EXPECT_EQ(std::set(topology.begin(), topology.end()).size(), 1u);
}

}  // namespace
}  // namespace nodia::test
