#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/scenarios/scenario_files.hpp"

namespace nodia {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::MatchesRegex;
using ::testing::Not;
using ::testing::SizeIs;

std::vector<std::string> warnings(const std::string& objects,
                                  const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> texts;
  const test::ScenarioFile file("name: w\n" + objects);
  for (const ScenarioWarning& warning : load_batch(file.path(), overrides).warnings)
    texts.push_back(warning.text);
  return texts;
}

constexpr const char* kBox =
    "rigid_bodies:\n  box: {shape: box, size_m: [0.1, 0.1, 0.1], friction: 0.1}\n"
    "obstacles:\n  floor: {shape: half_space}\n  wall: {shape: sphere, radius_m: 1}\n";

TEST(Warnings, NameAFrictionThatADefaultHides) {
  const auto told = warnings(kBox);
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], AllOf(HasSubstr("rigid_bodies.box.friction = 0.1 has no effect at "
                                       "obstacles.floor and 1 more"),
                             HasSubstr("default there is 0.3")));
  EXPECT_THAT(warnings(kBox, {"rigid_bodies.box.friction=0.3"}), IsEmpty());
  EXPECT_THAT(warnings(kBox, {"obstacles.floor.friction=0.4", "obstacles.wall.friction=0.3"}),
              IsEmpty())
      << "both are set: the larger is what was asked for";
  EXPECT_THAT(warnings(kBox + std::string("friction_pairs:\n"
                                          "  - {body: box, obstacle: floor, friction: 0.1}\n"
                                          "  - {body: box, obstacle: wall, friction: 0.1}\n")),
              IsEmpty());
}

TEST(Warnings, OfADrawnFrictionAreToldOnceABatch) {
  const auto told = warnings(kBox + std::string("randomize:\n"
                                                "  rigid_bodies.box.friction: [0.1, 0.2]\n"),
                             {"environments=5"});
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], MatchesRegex("rigid_bodies.box.friction = 0\\.1[0-9]{1,5} has .*"))
      << "six digits are enough to tell which";
}

TEST(Warnings, NameMountsFarFromWhatTheyHold) {
  const std::string cable =
      "cables:\n  rope: {points_m: [[0, 0, 1], [2, 0, 1]], links: 20}\nmounts:\n"
      "  front: {body: rope, at: front, position_m: [";
  EXPECT_THAT(warnings(cable + "2, 0, 1]}\n"), IsEmpty());
  EXPECT_THAT(warnings(cable + "2.9, 0, 1]}\n"), IsEmpty());
  EXPECT_THAT(warnings(cable + "3.1, 0, 1]}\n"), SizeIs(1)) << "half the body's diagonal";
  const auto told = warnings(cable + "902, 0, 1]}\n");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("mounts.front holds rope from 900 m away, and rope is 2 m large"));
}

/// The path has left its first pose at t = 0, where the cable keeps its place: it is pulled at
/// once.
TEST(Warnings, NameMountsThatStretchACableAtTheStart) {
  const auto told_of = [](const std::string& path) {
    return warnings(
        "cables:\n  rope: {points_m: [[0, 0, 1], [2, 0, 1]], links: 20}\nmounts:\n"
        "  front: {body: rope, at: front, path: [" +
        path + "]}\n");
  };
  const auto told =
      told_of("{time_s: -1, position_m: [2, 0, 1]}, {time_s: 0, position_m: [16, 0, 1]}");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0],
              HasSubstr("mounts.front pulls rope by 14 m at the start, and rope is 2 m large"));
  EXPECT_THAT(told_of("{time_s: -1, position_m: [2, 0, 1]}, {time_s: 0, position_m: [2, 0, 1.1]}"),
              IsEmpty());
  EXPECT_THAT(told_of("{time_s: 0, position_m: [2, 0, 1]}, {time_s: 1, position_m: [16, 0, 1]}"),
              IsEmpty())
      << "it is where it is wanted, and will be pulled";
  const auto turned = told_of(
      "{time_s: -1, position_m: [0, 0, 1]}, "
      "{time_s: 0, position_m: [0, 0, 1], orientation_wxyz: [0, 0, 0, 1]}");
  ASSERT_THAT(turned, SizeIs(1));
  EXPECT_THAT(turned[0], HasSubstr("pulls rope by 4 m"));
}

TEST(Warnings, NameAttachmentsThatStretchABodyAtTheStart) {
  const std::string block =
      "bodies:\n  block: {mesh: {box: {size_m: [0.2, 0.2, 0.2], cells: [1, 1, 1]}}}\n"
      "attachments:\n  grip: {body: block, node_set: x_max, path: [{time_s: -2}, "
      "{time_s: 0, position_m: [0, 1, 0]}]";
  const auto told = warnings(block + "}\n");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], HasSubstr("attachments.grip pulls block by 1 m at the start"));
  EXPECT_THAT(warnings(block + ", release_time_s: 0}\n"), IsEmpty()) << "it never holds";
}

/// A beam of 2 kg, its centre 0.5 m from a hinge: 9.81 N m of weight.
constexpr const char* kBeam = R"(<robot name="beam"><link name="base"/><link name="arm">
<inertial><origin xyz="0.5 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/>
<limit lower="-2" upper="2" effort="12" velocity="1"/></joint></robot>)";

/// Warnings of a scenario with that robot.
std::vector<std::string> robot_warnings(const std::string& urdf, const std::string& keys) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("arm.urdf")) << urdf;
  return warnings("robots:\n  arm: {urdf: " + folder.file("arm.urdf") + ", " + keys + "}\n");
}

TEST(Warnings, NameDrivesThatTheRobotsOwnWeightBends) {
  const auto robot = [](const std::string& keys) { return robot_warnings(kBeam, keys); };
  EXPECT_THAT(robot("gravity_compensation: true"), IsEmpty());
  EXPECT_THAT(robot("gravity_compensation: false"), IsEmpty()) << "it may be meant to swing";
  EXPECT_THAT(robot("gravity_compensation: false, "
                    "joint_drives: {hinge: {stiffness: 1000, damping: 10}}"),
              IsEmpty());
  const auto told = robot(
      "gravity_compensation: false, "
      "joint_drives: {hinge: {stiffness: 50, damping: 10}}");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], AllOf(HasSubstr("robots.arm: the weight of 9.81 N m on joint hinge"),
                             HasSubstr("bends its drive by 0.196 rad")));
}

TEST(Warnings, NameJointsThatCannotCarryTheRobot) {
  std::string weak = kBeam;
  weak.replace(weak.find("effort=\"12\""), 11, "effort=\"9\"");
  const auto told = robot_warnings(weak, "gravity_compensation: true");
  ASSERT_THAT(told, SizeIs(1));
  EXPECT_THAT(told[0], AllOf(HasSubstr("joint hinge carries 9.81 N m"),
                             HasSubstr("its effort limit is 9 N m")));
}

/// A cube in a file. @param size  its edges
std::string cube_obj(Vec3d size) {
  std::string text;
  for (int k = 0; k < 8; ++k)
    text += fmt::format("v {} {} {}\n", k & 1 ? size.x : 0, k & 2 ? size.y : 0, k & 4 ? size.z : 0);
  return text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
}

/// A tetrahedron in a file.
std::string tetrahedron_msh(double edge) {
  return fmt::format(
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 {0} 0 0\n3 0 {0} 0\n"
      "4 0 0 {0}\n$EndNodes\n$Elements\n1\n1 4 2 1 1 1 2 3 4\n$EndElements\n",
      edge);
}

/// Of scenes whose files are in one folder.
class WarningsOfMeshes : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.file(name)) << text;
    return folder_.file(name);
  }
  std::string soft(double edge) const {
    return "bodies:\n  egg: {mesh: {file: " + file("egg.msh", tetrahedron_msh(edge)) + "}}\n";
  }
  std::string rigid(Vec3d size, const std::string& group = "rigid_bodies") const {
    return group + ":\n  cup: {shape: mesh, file: " + file("cup.obj", cube_obj(size)) + "}\n";
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(WarningsOfMeshes, InMillimetresAreNamedByTheirLength) {
  EXPECT_THAT(warnings(soft(80)),
              ElementsAre("bodies.egg: its mesh is 80 m long (is it in millimetres? lengths are in "
                          "metres: scale the file by 0.001)"));
  EXPECT_THAT(warnings(soft(0.08)), IsEmpty());
  EXPECT_THAT(warnings(rigid({1, 2, 90})),
              ElementsAre(HasSubstr("rigid_bodies.cup: its mesh is 90 m long")));
  EXPECT_THAT(warnings(soft(80) + rigid({90, 90, 90})), SizeIs(2)) << "both may be";
}

TEST_F(WarningsOfMeshes, AreQuietWhereTheRestIsAsLarge) {
  const std::string box = "rigid_bodies:\n  box: {shape: box, size_m: [1, 1, ";
  EXPECT_THAT(warnings(soft(80) + box + "1]}\n"), SizeIs(1));
  EXPECT_THAT(warnings(soft(80) + box + "9]}\n"), IsEmpty());
  EXPECT_THAT(
      warnings(soft(80) + "cables:\n  rope: {points_m: [[0, 0, 1], [20, 0, 1]], links: 200}\n"),
      IsEmpty());
  EXPECT_THAT(warnings(soft(80) + "obstacles:\n  floor: {shape: half_space}\n"), SizeIs(1))
      << "a half space is as large everywhere";
}

TEST_F(WarningsOfMeshes, AnObstacleMayBeALandscape) {
  const std::string box =
      "rigid_bodies:\n  box: {shape: box, size_m: [1, 1, 1], position_m: [0, 0, 300]}\n";
  EXPECT_THAT(warnings(box + rigid({90, 90, 5}, "obstacles")), IsEmpty());
  EXPECT_THAT(warnings(box + rigid({90, 80, 70}, "obstacles")),
              ElementsAre(HasSubstr("obstacles.cup: its mesh is 90 m long")));
}

/// What the message says to write is tried.
TEST_F(WarningsOfMeshes, OfRobotsAreScaledInTheirFile) {
  const auto told = [&](const std::string& scale, const std::string& keys) {
    std::string urdf = kBeam;
    const std::string collision = "<collision><geometry><mesh filename=\"cup.obj\"" + scale +
                                  "/></geometry></collision></link>";
    urdf.replace(urdf.rfind("</link>"), 7, collision);
    file("cup.obj", cube_obj({30, 40, 50}));
    return warnings("robots:\n  arm: {urdf: " + file("arm.urdf", urdf) + keys + "}\n");
  };
  const auto in_millimetres = told("", "");
  ASSERT_THAT(in_millimetres, SizeIs(1));
  EXPECT_THAT(in_millimetres[0], AllOf(HasSubstr("robots.arm.urdf: the mesh "),
                                       HasSubstr("cup.obj of link arm is 50 m long"),
                                       HasSubstr("give its <mesh> scale=\"0.001 0.001 0.001\")")));
  EXPECT_THAT(told(" scale=\"0.001 0.001 0.001\"", ""), IsEmpty());
  EXPECT_THAT(told("", ", collides: false"), IsEmpty()) << "its meshes are not read";
}

TEST(Warnings, NameTheNumberOfLinksThatClosesTheGapsBetweenThem) {
  const auto told_of = [](const std::string& links, const std::string& keys) {
    return warnings("cables:\n  rope: {points_m: [[0, 0, 1], [1, 0, 1]], radius_m: 0.002, links: " +
                    links + keys + "}\n");
  };
  const std::string spheres = ", contact: link_centres";
  EXPECT_THAT(
      told_of("10", spheres),
      ElementsAre("cables.rope: with contact: link_centres, things pass between its links, "
                  "which are 0.1 m apart and 0.004 m thick (set contact: segments, or links "
                  ">= 250)"));
  EXPECT_THAT(told_of("249", spheres), SizeIs(1));
  EXPECT_THAT(told_of("250", spheres), IsEmpty());
  EXPECT_THAT(told_of("10", ""), IsEmpty()) << "segments are the default";
}

/// A block of 100 mm with a slot in its middle, 30 mm deep.
std::string slotted_block_obj(double width_m) {
  const double left = 0.05 - 0.5 * width_m, right = 0.05 + 0.5 * width_m;
  const double outline[8][2] = {{0, 0},        {0.1, 0},     {0.1, 0.05},  {right, 0.05},
                                {right, 0.02}, {left, 0.02}, {left, 0.05}, {0, 0.05}};
  std::string text;
  for (const double y : {0., 0.02})
    for (const auto& [x, z] : outline) text += fmt::format("v {} {} {}\n", x, y, z);
  const int cap[6][3] = {{0, 1, 4}, {0, 4, 5}, {1, 2, 3}, {1, 3, 4}, {0, 5, 6}, {0, 6, 7}};
  for (const auto& [a, b, c] : cap)
    text += fmt::format("f {} {} {}\nf {} {} {}\n", a + 1, b + 1, c + 1, c + 9, b + 9, a + 9);
  for (int k = 0; k < 8; ++k) {
    const int a = k + 1, b = (k + 1) % 8 + 1;
    text += fmt::format("f {} {} {} {}\n", b, a, a + 8, b + 8);
  }
  return text;
}

/// The margin that the message says to set is tried.
TEST_F(WarningsOfMeshes, NameAGapThatIsNarrowerThanTheMargin) {
  const auto told = [&](double width_m, const std::vector<std::string>& overrides = {}) {
    const std::string path = file("slot.obj", slotted_block_obj(width_m));
    return warnings("rigid_bodies:\n  block: {shape: mesh, mass_kg: 1, file: " + path + "}\n",
                    overrides);
  };
  EXPECT_THAT(told(0.001), ElementsAre("rigid_bodies.block: its collision mesh has a gap of about "
                                       "0.001 m, narrower than contact.margin_m = 0.002: what is "
                                       "in it touches both sides at once (set contact.margin_m = "
                                       "0.0005)"));
  EXPECT_THAT(told(0.001, {"contact.margin_m=0.0005"}), IsEmpty());
  EXPECT_THAT(told(0.0003), SizeIs(1));
  EXPECT_THAT(told(0.0025), IsEmpty());
}

TEST(Warnings, NameASheetThatIsThinnerThanTheMargin) {
  const auto told = [](const std::string& thickness,
                       const std::vector<std::string>& overrides = {}) {
    return warnings("bodies:\n  cloth: {mesh: {box: {size_m: [0.1, 0.1, " + thickness +
                        "], cells: [4, 4, 1]}}}\n",
                    overrides);
  };
  EXPECT_THAT(told("0.001"),
              ElementsAre(AllOf(HasSubstr("bodies.cloth: it is about 0.00098 m thick"),
                                HasSubstr("set contact.margin_m = 0.0005)"))));
  EXPECT_THAT(told("0.001", {"contact.margin_m=0.0005"}), IsEmpty());
  EXPECT_THAT(told("0.003"), IsEmpty());
}

/// With the number of links that the message names it says nothing.
TEST(Warnings, NameTheNumberOfLinksThatDoNotFold) {
  const auto told = [](const std::string& links, const std::vector<std::string>& overrides = {}) {
    return warnings(
        "cables:\n  rope: {points_m: [[0, 0, 1], [1, 0, 1]], radius_m: 0.002, "
        "youngs_modulus_Pa: 1e5, links: " +
            links + "}\n",
        overrides);
  };
  EXPECT_THAT(
      told("10"),
      ElementsAre("cables.rope: its links of 0.1 m are longer than 0.04 m, where the weight "
                  "of one bends its joint by 180 degrees: it folds (set links >= 25)"));
  EXPECT_THAT(told("24"), SizeIs(1));
  EXPECT_THAT(told("25"), IsEmpty());
  EXPECT_THAT(told("1"), IsEmpty()) << "a rigid rod";
  EXPECT_THAT(told("10", {"gravity_m_s2=[0, 0, 0]"}), IsEmpty());
}

TEST(Warnings, NameTheTwoBodiesWhoseMassesDifferMost) {
  const auto told = [](const std::string& light, const std::string& heavy) {
    const auto ball = [](const std::string& mass) {
      return "{shape: sphere, radius_m: 0.1, mass_kg: " + mass + "}\n";
    };
    return warnings("rigid_bodies:\n  dust: " + ball(light) + "  stone: " + ball("1") +
                    "  ship: " + ball(heavy));
  };
  EXPECT_THAT(told("0.001", "9e5"), Not(Contains(HasSubstr("rounding"))));
  EXPECT_THAT(told("1e-5", "1e5"),
              Contains(AllOf(HasSubstr("rigid_bodies.dust of 1e-05 kg and rigid_bodies.ship of "),
                             HasSubstr("1e+05 kg"))));
}

}  // namespace
}  // namespace nodia
