/// Inputs in a wrong unit are warned of; those of the repository are not.
#include "scenarios/build/usual_ranges.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kScene = R"(name: w
time: {step_s: 0.01, duration_s: 1}
bodies:
  cube:
    mesh: {box: {size_m: [0.1, 0.1, 0.1], cells: [1, 1, 1]}}
    youngs_modulus_Pa: 1e5
    density_kg_m3: 1000
    poissons_ratio: 0.4
rigid_bodies:
  ball: {shape: sphere, radius_m: 0.05, mass_kg: 0.5, position_m: [0, 0, 1]}
cables:
  rope: {points_m: [[0, 0, 2], [1, 0, 2]], links: 4, radius_m: 0.01}
obstacles:
  floor: {shape: half_space, friction: 0.5}
  plate: {shape: box, size_m: [1, 1, 0.1], position_m: [0, 0, -1], friction: 0.5}
)";

std::vector<std::string> warnings_with(const std::string& setting, const std::string& other = "") {
  std::vector<std::string> texts;
  const test::ScenarioFile file(kScene);
  std::vector<std::string> overrides;
  for (const std::string& each : {setting, other})
    if (!each.empty()) overrides.push_back(each);
  for (const ScenarioWarning& warning : load_batch(file.path(), overrides).warnings)
    texts.push_back(warning.text);
  return texts;
}

struct Implausible {
  const char* setting;
  const char* usual;  ///< of the message
};

constexpr Implausible kImplausible[] = {
    {"bodies.cube.youngs_modulus_Pa=0.5", "usually 100 to 1e+12 Pa; 1 MPa is 1e6"},
    {"bodies.cube.youngs_modulus_Pa=2e13", "usually 100 to 1e+12 Pa"},
    {"cables.rope.youngs_modulus_Pa=3", "usually 100 to 1e+12 Pa"},
    {"bodies.cube.density_kg_m3=1.07", "usually 50 to 2.5e+04 kg/m^3; 1 g/cm^3 is 1000"},
    {"cables.rope.density_kg_m3=1e6", "usually 50 to 2.5e+04 kg/m^3"},
    {"bodies.cube.poissons_ratio=0.4999", "usually 0 to 0.495"},
    {"bodies.cube.friction=80", "usually 0 to 5; a coefficient: 80 % is 0.8"},
    {"obstacles.floor.friction=30", "usually 0 to 5"},
    {"friction_pairs=[{body: ball, obstacle: floor, friction: 50}]", "usually 0 to 5"},
    {"friction_pairs=[{body: ball, obstacle: floor, friction_1: 0.5, friction_2: 50}]",
     "usually 0 to 5"},
    {"time.step_s=0.1", "usually 1e-06 to 0.05 s; 1 ms is 0.001"},
    {"time.step_s=1e-8", "usually 1e-06 to 0.05 s"},
    {"gravity_m_s2=[0, 0, 9.81]", "points upward (usually [0, 0, -9.81]: z is up)"},
    {"gravity_m_s2=[0, 0, -9810]", "usually 0 to 30 m/s^2"},
    {"bodies.cube.position_m=[0, 0, 2000]", "usually -1000 to 1000 m; lengths are in metres"},
    {"rigid_bodies.ball.radius_m=500", "usually 1e-05 to 100 m"},
    {"rigid_bodies.ball.mass_kg=500", "makes its density 9.55e+05 kg/m^3 (usually 5 to 25000"},
    {"rigid_bodies.ball.mass_kg=1e-4", "makes its density 0.191 kg/m^3"},
    {"bodies.cube.velocity_m_s=[300, 0, 0]", "usually 0 to 100 m/s"},
    {"rigid_bodies.ball.velocity_m_s=[0, 90, 90]", "usually 0 to 100 m/s"},
    {"rigid_bodies.ball.angular_velocity_rad_s=[0, 0, 6000]", "usually 0 to 1000 rad/s"},
    {"bodies.cube.rayleigh_stiffness_s=10", "usually 0 to 1 s; 1 ms is 0.001"},
    {"bodies.cube.rayleigh_mass_1_s=1e5", "usually 0 to 1000 1/s"},
    {"cables.rope.damping_s=200", "usually 0 to 10 s"},
    {"cables.rope.radius_m=1e-6", "usually 1e-05 to 100 m"},
    {"contact.margin_m=5", "usually 0 to 0.1 m"},
    {"contact.recovery_speed_m_s=100", "usually 0 to 10 m/s"},
    {"contact.rest_speed_m_s=20", "usually 0 to 1 m/s"},
    {"pushes={kick: {body: ball, force_N: [1e6, 0, 0], from_s: 0, duration_s: 0.1}}",
     "usually 0 to 1e+05 N"},
    {"obstacles.plate.size_m=[5000, 1, 1]", "usually 1e-05 to 1000 m"},
    {"obstacles.plate.path=[{time_s: 0, position_m: [0, 0, -1]}, {time_s: 0.01, position_m: [1, 0, "
     "-1]}]",
     "moves at 100 m/s from 0 to 0.01 s (usually 0 to 20 m/s"},
};

TEST(UsualRanges, AreToldWithKeyAndValue) {
  EXPECT_THAT(warnings_with(""), IsEmpty());
  for (const Implausible& input : kImplausible) {
    const std::string setting = input.setting, path = setting.substr(0, setting.find('='));
    EXPECT_THAT(warnings_with(setting),
                ::testing::Contains(AllOf(HasSubstr(path), HasSubstr(input.usual))))
        << setting;
  }
}

TEST(UsualRanges, OfSampledValuesAreThoseOfTheEnvironment) {
  EXPECT_THAT(warnings_with("randomize={bodies.cube.youngs_modulus_Pa: [0.1, 0.2]}", "seed=1"),
              ElementsAre(HasSubstr("bodies.cube.youngs_modulus_Pa = 0.1")));
}

TEST(UsualRanges, AnswerAScalarGravityWithTheVector) {
  const test::ScenarioFile file(std::string("gravity_m_s2: 9.81\n") + kScene);
  EXPECT_THAT([&] { load_batch(file.path(), {}); },
              ::testing::ThrowsMessage<InputError>(HasSubstr("try [0, 0, -9.81]")));
}

constexpr const char* kHinge = R"(<robot name="arm"><link name="base"/>
<joint name="hinge" type="revolute"><parent link="base"/><child link="beam"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="12" velocity="5"/></joint>
<joint name="wheel" type="continuous"><parent link="beam"/><child link="rim"/></joint>
<link name="beam"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link>
<link name="rim"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link></robot>)";

TEST(UsualRanges, DriveTargetsAreComparedWithTheJointsLimits) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("arm.urdf")) << kHinge;
  const auto told = [&](const std::string& joint, const std::string& target) {
    std::vector<std::string> texts;
    const test::ScenarioFile file(
        "name: w\nrobots:\n  arm: {urdf: " + folder.file("arm.urdf") + ", joint_drives: {" + joint +
        ": {stiffness: 10, path: [{time_s: 0, target: 0}, {time_s: 1, target: " + target +
        "}]}}}\n");
    for (const ScenarioWarning& warning : load_batch(file.path(), {}).warnings)
      texts.push_back(warning.text);
    return texts;
  };
  EXPECT_THAT(told("hinge", "1"), IsEmpty());
  EXPECT_THAT(told("hinge", "1.1"),
              ElementsAre(HasSubstr("robots.arm.joint_drives.hinge.path = 1.1 rad at 1 s (the "
                                    "joint's limits are -1 to 1 rad")));
  EXPECT_THAT(told("wheel", "20"), IsEmpty());
  EXPECT_THAT(told("wheel", "90"), ElementsAre(HasSubstr("180 degrees are 3.1416")));
}

}  // namespace
}  // namespace nodia
