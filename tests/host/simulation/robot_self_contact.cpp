/// Links of one robot that touch each other.
#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/simulation.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr Vec3d kPad{0.04, 0.03, 0.02};  ///< box of a link [m]

RobotLink sliding_link(const std::string& name, int parent, Vec3d axis = {1, 0, 0}) {
  RobotLink link;
  link.name = name;
  link.parent = parent;
  link.joint.name = "to_" + name;
  link.joint.kind = JointKind::prismatic;
  link.joint.axis = axis;
  link.joint.lower = -0.5;
  link.joint.upper = 0.5;
  link.inertia = RigidInertia{0.5, {}, {{{1e-3, 0, 0}, {0, 1e-3, 0}, {0, 0, 1e-3}}}};
  LinkCollision pad;
  pad.shape = {ShapeKind::box, kPad, 0, 0, {}};
  link.collisions.push_back(pad);
  return link;
}

/// Two links that slide along x on one base and that springs push against each other.
Scene two_fingers() {
  Scene scene;
  scene.name = "fingers";
  scene.time.step_s = 0.005;
  scene.gravity_m_s2 = {};
  RobotSceneDescription robot;
  robot.name = "hand";
  RobotLink base;
  base.name = "base";
  robot.robot.links = {base, sliding_link("left", 0), sliding_link("right", 0)};
  robot.q = {-0.05, 0.05};
  robot.friction = 0.5;
  robot.self_contact = true;
  const auto drive = [&](const std::string& joint, double stiffness, double from, double to) {
    JointDriveDescription d;
    d.joint = joint;
    d.stiffness = stiffness;
    d.damping = 10;
    d.path = {{0, from}, {0.5, to}};
    robot.joint_drives.push_back(d);
  };
  drive("to_left", 100, -0.05, 0.02);
  drive("to_right", 300, 0.05, -0.01);
  scene.robots.push_back(robot);
  return scene;
}

struct SelfContactRun {
  Vec3d force{};  ///< on the left link at the end [N]
  std::size_t n_contact = 0;
  double deepest = 0;
  std::vector<OverlapNotice> overlaps;
  std::vector<double> q;
};

SelfContactRun run_of(const Scene& scene, int n_step, const std::string& solver = "newton") {
  SolverOptions options;
  options.solver = solver;
  options.tolerance = 1e-6;
  options.max_iterations = 20000;
  Simulation simulation({scene}, options);
  SelfContactRun run;
  for (int k = 0; k < n_step; ++k)
    simulation.step([&](const StepView& view) {
      EXPECT_EQ(view.record.solve.status, SolveStatus::converged) << view.record.solve.reason;
      run.deepest = std::max(run.deepest, view.record.max_penetration_m);
      run.n_contact = view.contacts().size();
      run.overlaps.insert(run.overlaps.end(), view.record.overlaps.begin(),
                          view.record.overlaps.end());
      run.force = {};
      for (std::size_t m = 0; m < view.contacts().size(); ++m) {
        const ContactSides& s = view.contact_sides()[m];
        EXPECT_EQ(s.i.link + s.j.link, 3);
        run.force +=
            (s.i.link == 1 ? 1.0 : -1.0) * transpose_times(view.contacts()[m].R, view.lambda()[m]);
      }
    });
  run.q = simulation.state().q;
  return run;
}

TEST(RobotSelfContact, FingersPressEachOtherAsTheirSpringsSay) {
  // 100 (0.02 - q) = N = 300 (q + 0.04 + 0.01)
  for (const std::string solver : {"newton", "cond", "apgd"}) {
    SCOPED_TRACE(solver);
    const SelfContactRun run = run_of(two_fingers(), 300, solver);
    ASSERT_EQ(run.q.size(), 2u);
    EXPECT_NEAR(run.q[0], -0.0325, 1e-6);
    EXPECT_NEAR(run.q[1], 0.0075, 1e-6);
    EXPECT_NEAR(run.force.x, -5.25, 1e-3);
    EXPECT_LT(run.deepest, 1e-6);
    EXPECT_TRUE(run.overlaps.empty());
  }
}

TEST(RobotSelfContact, IsOffByDefaultAndForExcludedPairs) {
  for (const bool excluded : {false, true}) {
    Scene scene = two_fingers();
    RobotSceneDescription& robot = scene.robots[0];
    robot.self_contact = excluded;
    if (excluded) robot.self_contact_exclude = {{"right", "left"}};
    const SelfContactRun run = run_of(scene, 300);
    EXPECT_EQ(run.n_contact, 0u);
    EXPECT_NEAR(run.q[0], 0.02, 1e-6);
  }
}

TEST(RobotSelfContact, NeighboursDoNotTouch) {
  // The second link hangs on the first, and their boxes overlap.
  Scene scene = two_fingers();
  RobotSceneDescription& robot = scene.robots[0];
  robot.joint_drives.clear();
  robot.robot.links[2] = sliding_link("right", 1);
  robot.q = {0, 0.01};
  const SelfContactRun run = run_of(scene, 3);
  EXPECT_EQ(run.n_contact, 0u);
  EXPECT_TRUE(run.overlaps.empty());
}

TEST(RobotSelfContact, AnOverlapAtTheStartNamesTheLinks) {
  Scene scene = two_fingers();
  scene.robots[0].q = {-0.019, 0.019};
  const SelfContactRun run = run_of(scene, 1);
  ASSERT_FALSE(run.overlaps.empty());
  EXPECT_TRUE(run.overlaps[0].at_start);
  EXPECT_EQ(run.overlaps[0].i, "hand.left");
  EXPECT_EQ(run.overlaps[0].j, "hand.right");
  EXPECT_NEAR(run.overlaps[0].depth_m, 0.002, 1e-9);
}

TEST(RobotSelfContact, BadKeysAreRejected) {
  const auto message_of = [](const auto& change) -> std::string {
    Scene scene = two_fingers();
    change(&scene.robots[0]);
    try {
      scene.validate();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message_of([](RobotSceneDescription*) {}), "");
  EXPECT_NE(message_of([](RobotSceneDescription* r) { r->collides = false; }).find("self_contact"),
            std::string::npos);
  EXPECT_NE(message_of([](RobotSceneDescription* r) {
              r->self_contact_exclude = {{"left", "rigth"}};
            }).find("self_contact_exclude.0.other"),
            std::string::npos);
  EXPECT_NE(message_of([](RobotSceneDescription* r) {
              r->self_contact = false;
              r->self_contact_exclude = {{"left", "right"}};
            }).find("self_contact_exclude.0"),
            std::string::npos);
}

TEST(RobotSelfContact, NeighboursCrossFixedJoints) {
  RobotDescription robot;
  RobotLink base;
  base.name = "base";
  robot.links = {base, sliding_link("a", 0), sliding_link("b", 1), sliding_link("c", 2),
                 sliding_link("d", 2)};
  robot.links[2].joint.kind = JointKind::fixed;  // a and b are one body
  EXPECT_TRUE(robot.are_neighbours(1, 2));
  EXPECT_TRUE(robot.are_neighbours(1, 3));
  EXPECT_TRUE(robot.are_neighbours(3, 1));
  EXPECT_TRUE(robot.are_neighbours(0, 2));
  EXPECT_FALSE(robot.are_neighbours(0, 3));
  EXPECT_FALSE(robot.are_neighbours(3, 4));
}

}  // namespace
}  // namespace nodia::test
