/// What a checkpoint takes for the same scene.
#include "host/scene/fingerprint.hpp"

#include <gtest/gtest.h>

#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

std::uint64_t of(const std::string& file, const std::vector<std::string>& overrides = {}) {
  return fingerprint(load_scenario(test::source_file("scenarios/" + file), overrides).scene);
}

TEST(Fingerprint, IsAnotherWhereAValueOfTheSceneIs) {
  const struct {
    const char* file;
    std::vector<std::string> overrides;
  } all[] = {
      {"mat_folding/mat_folding.yaml",
       {"time.step_s=0.008",
        "time.theta=0.9",
        "time.geometric_stiffness=false",
        "contact.margin_m=0.003",
        "contact.rest_speed_m_s=0.02",
        "contact.penetration_recovery=0.1",
        "contact.recovery_speed_m_s=0.4",
        "gravity_m_s2=[0, 0, -9.8]",
        "bodies.mat.mesh={mat: {size_m: [0.4, 0.3, 0.0041], nodes: 1477}}",
        "bodies.mat.mesh={mat: {size_m: [0.4, 0.3, 0.004], nodes: 1400}}",
        "bodies.mat.position_m=[-0.1, 0, 0.51]",
        "bodies.mat.orientation_wxyz=[1, 0, 0.01, 0]",
        "bodies.mat.velocity_m_s=[0, 0, 1]",
        "bodies.mat.youngs_modulus_Pa=75.1e3",
        "bodies.mat.poissons_ratio=0.36",
        "bodies.mat.density_kg_m3=1001",
        "bodies.mat.rayleigh_mass_1_s=0.6",
        "bodies.mat.rayleigh_stiffness_s=0.003",
        "bodies.mat.friction=0.51",
        "bodies.mat.self_contact=false",
        "bodies.mat.thickness_m=0.001",
        "robots.panda.position_m=[0.18, -0.78, -0.008]",
        "robots.panda.friction=0.5",
        "robots.panda.q.panda_joint1=-0.44",
        "robots.panda.gravity_compensation=false",
        "robots.panda.collides=false",
        "robots.panda.self_contact=true",
        "robots.panda.force_sensors={wrist: {link: panda_link7}}",
        "robots.panda.pose_drives.bar.stiffness_N_m=5001",
        "robots.panda.pose_drives.bar.damping_N_s_m=501",
        "robots.panda.pose_drives.bar.stiffness_Nm_rad=201",
        "robots.panda.pose_drives.bar.damping_Nms_rad=21",
        "robots.panda.pose_drives.bar.path.1.time_s=0.8",
        "robots.panda.pose_drives.bar.ease=none",
        "robots.panda.pose_drives.bar.path.1.position_m=[0.31, -0.05, 0.53]",
        "robots.panda.pose_drives.bar.frame_position_m=[0, 0, 0.01]",
        "robots.panda.joint_drives.panda_joint3.stiffness=3",
        "robots.panda.joint_drives.panda_joint3.damping=3",
        "robots.panda.joint_drives.panda_joint3.path=[{time_s: 0, target: 0}]",
        "obstacles.table.size_m=[0.496, 0.32, 0.031]",
        "obstacles.table.friction=0.1",
        "obstacles.table.restitution=0.1",
        "obstacles.table.position_m=[0.048, 0.15, 0.48]",
        "obstacles.table.path=[{time_s: 0}, {time_s: 1, position_m: [0, 0, 0]}]",
        "attachments.clamp.stiffness_N_m=501",
        "attachments.clamp.release_time_s=4.3",
        "attachments.clamp.node_set=x_min",
        "attachments.clamp.link=panda_link7"}},
      {"cable_winding/cable_winding.yaml",
       {"cables.cable.links=321", "cables.cable.radius_m=0.0021", "cables.cable.density_kg_m3=1260",
        "cables.cable.youngs_modulus_Pa=4.6e6", "cables.cable.poissons_ratio=0.44",
        "cables.cable.friction=0.9", "cables.cable.points_m=[[0.552, 0, 0.1], [0.552, 0.28, 0.38]]",
        "cables.cable.contact=segments", "cables.cable.damping_s=0.001",
        "mounts.base.breaks_at_N=9", "mounts.base.position_m=[0.552, 0, 0.11]",
        "mounts.base.stiffness_links=0.4", "mounts.base.moment=false", "mounts.base.damping_s=0.1",
        "mounts.base.release_time_s=3", "mounts.tool.moment=true",
        "mounts.base={body: cable, at: front, position_m: [0.552, 0, 0.1], release_time_s: 3}"}},
      {"soft_gripper/soft_gripper.yaml",
       {"rigid_bodies.box.mass_kg=0.041", "rigid_bodies.box.size_m=[0.045, 0.045, 0.061]",
        "rigid_bodies.box.position_m=[0, 0, 0.031]", "rigid_bodies.box.friction=0.4",
        "rigid_bodies.box.restitution=0.1", "rigid_bodies.box.velocity_m_s=[0, 0, 0.1]",
        "rigid_bodies.box.angular_velocity_rad_s=[0, 0, 0.1]",
        "robots.gripper.joint_drives.base_z.path.1.target=0.061",
        "friction_pairs=[{body: box, obstacle: floor, friction: 0.2}]",
        "pushes={shove: {body: box, force_N: [1, 0, 0], from_s: 0, duration_s: 1}}"}}};
  for (const auto& [file, overrides] : all) {
    const std::uint64_t plain = of(file);
    for (const std::string& override : overrides)
      EXPECT_NE(of(file, {override}), plain) << file << " " << override;
  }
}

TEST(Fingerprint, IsAnotherWhereAnExternalForceIs) {
  const char* const file = "soft_gripper/soft_gripper.yaml";
  std::vector<std::uint64_t> seen;
  for (const char* external_force :
       {"body: box, force_N: [1, 0, 0], from_s: 0, duration_s: 1",
        "body: box, force_N: [1, 0, 1e-9], from_s: 0, duration_s: 1",
        "body: box, force_N: [1, 0, 0], from_s: 1e-9, duration_s: 1",
        "body: box, force_N: [1, 0, 0], from_s: 0, duration_s: 1.001",
        "body: gripper, link: left_plate, force_N: [1, 0, 0], from_s: 0, duration_s: 1",
        "body: gripper, link: right_plate, force_N: [1, 0, 0], from_s: 0, duration_s: 1"})
    seen.push_back(of(file, {std::string("pushes={shove: {") + external_force + "}}"}));
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

TEST(Fingerprint, IsTheSameWhateverStepsDoNotDependOn) {
  const char* const file = "soft_gripper/soft_gripper.yaml";
  for (const char* override : {"time.duration_s=2", "name=other", "solver.tolerance=1e-6",
                               "output.every_steps=7", "checks={}", "randomize={}"})
    EXPECT_EQ(of(file, {override}), of(file)) << override;
}

TEST(Fingerprint, TellsTheScenariosApart) {
  std::vector<std::uint64_t> seen;
  for (const std::string& file : test::scenario_files()) {
    seen.push_back(fingerprint(load_scenario(test::source_file(file)).scene));
    EXPECT_EQ(seen.back(), fingerprint(load_scenario(test::source_file(file)).scene)) << file;
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
}

}  // namespace
}  // namespace nodia
