/// The friction of scenarios/soft_ball, measured on a ball that slips out of the gripper.
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "scenarios/checks/contact_sum.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

/// A ball of ten times the density is too heavy to be lifted: the vertical pads rise, and the ball
/// stays on the floor. Coulomb's law gives the force with which they pull it upwards: 0.5 times the
/// sum of the normal forces. 0.5 is the middle of the range 0.4 to 0.6 of Lee et al. (2022),
/// section V. From 1.35 s on the ball slips on both pads; after 1.4 s its first nodes reach their
/// edges.
TEST(SoftBall, SlippingPadsPullWithHalfTheNormalForce) {
  const Scenario scenario = load_scenario(
      test::source_file("scenarios/soft_ball/soft_ball.yaml"),
      {"bodies.ball.density_kg_m3=1e4",
       "robots.gripper.joint_drives.base_z.path=[{time_s: 1, target: 0}, {time_s: 2.4, target: "
       "-0.06}]",
       "solver.threads=1"});
  const Objects objects(scenario.scene);
  const ObjectId ball = objects[objects.find("ball")].id;
  const ObjectId gripper = objects[objects.find("gripper")].id;
  Simulation simulation({scenario.scene}, scenario.solver);
  int n = 0;
  for (int k = 1; k <= 140; ++k)
    simulation.step([&](const StepView& view) {
      if (k <= 135) return;
      const ContactSum sum = contact_sum(view, ball, gripper);
      EXPECT_GT(sum.normal_N, 20) << "step " << k;
      EXPECT_NEAR(sum.force_N.z / sum.normal_N, 0.5, 5e-4) << "step " << k;
      ++n;
    });
  EXPECT_EQ(n, 5);
}

}  // namespace
}  // namespace nodia
