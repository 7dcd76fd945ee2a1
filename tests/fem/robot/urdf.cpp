#include "fem/robot/urdf.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "fem/mesh/solid_integrals.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/mesh_texts.hpp"
#include "tests/support/source_file.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/support/triangle_meshes.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kInertial =
    "<inertial><mass value='2'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'/>"
    "</inertial>";

std::string link(const std::string& name, const std::string& inside = kInertial) {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string joint(const std::string& name, const std::string& type, const std::string& parent,
                  const std::string& child,
                  const std::string& inside =
                      "<axis xyz='0 0 1'/><limit lower='-1' upper='2' "
                      "effort='3' velocity='4'/>") {
  return "<joint name='" + name + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/>" + inside + "</joint>";
}

std::string robot(const std::string& inside) {
  return "<robot name='r'>" + inside + "</robot>";
}

/// A base and a link on a hinge, with something instead of or beside the usual.
std::string two(const std::string& inside = kInertial, const std::string& more = "") {
  return robot(link("base", "") + link("arm", inside) + joint("j", "revolute", "base", "arm") +
               more);
}

std::string error_of(const std::string& text, const UrdfOptions& options = {}) {
  try {
    parse_urdf(text, "test.urdf", "", options);
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

/// What a failing reader prints on the terminal.
template <class Action>
std::string printed_by(Action action) {
  ::testing::internal::CaptureStderr();
  ::testing::internal::CaptureStdout();
  action();
  return ::testing::internal::GetCapturedStdout() + ::testing::internal::GetCapturedStderr();
}

TEST(Urdf, ReadsLinksJointsAndShapes) {
  const RobotDescription r = parse_urdf(
      robot(link("base", "") +
            link("arm",
                 "<inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/>"
                 "<mass value='2'/><inertia ixx='0.1' ixy='0' ixz='0' iyy='0.2' iyz='0' "
                 "izz='0.25'/></inertial>"
                 "<collision name='a'><origin xyz='0 0 1'/><geometry><box size='1 2 3'/>"
                 "</geometry></collision>"
                 "<collision name='b'><geometry><sphere radius='0.5'/></geometry>"
                 "</collision>"
                 "<collision name='c'><geometry><cylinder radius='0.1' length='0.3'/>"
                 "</geometry></collision>"
                 "<collision name='capsule:d'><geometry><cylinder radius='0.1' "
                 "length='0.3'/></geometry></collision>") +
            link("slide") + link("wheel") + link("tool", "") +
            joint("turn", "revolute", "base", "arm",
                  "<origin xyz='0 0 0.5'/><axis xyz='0 0 2'/><limit lower='-1' upper='2' "
                  "effort='3' velocity='4'/><dynamics damping='0.7' friction='0.2'/>") +
            joint("push", "prismatic", "arm", "slide") +
            joint("roll", "continuous", "slide", "wheel",
                  "<axis xyz='0 1 0'/><limit effort='8' velocity='9'/>"
                  "<mimic joint='push' multiplier='-3' offset='0.25'/>") +
            joint("hold", "fixed", "wheel", "tool", "<origin xyz='0 0 1'/>")),
      "test.urdf", "");
  ASSERT_EQ(r.links.size(), 5u);
  EXPECT_EQ(r.name, "r");
  const char* names[] = {"base", "arm", "slide", "wheel", "tool"};
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(r.links[i].name, names[i]);
    EXPECT_EQ(r.links[i].parent, i - 1);
  }
  const RobotLink& arm = r.links[1];
  EXPECT_EQ(arm.joint.kind, JointKind::revolute);
  EXPECT_EQ(arm.joint.lower, -1);
  EXPECT_EQ(arm.joint.upper, 2);
  EXPECT_EQ(arm.joint.max_effort, 3);
  EXPECT_EQ(arm.joint.max_velocity, 4);
  EXPECT_EQ(arm.joint.damping, 0.7);
  EXPECT_EQ(arm.joint.origin.position.z, 0.5);
  EXPECT_EQ(arm.inertia->mass, 2);
  EXPECT_EQ(arm.inertia->centre.y, 2);
  // Turned by a quarter about z: x and y change places.
  EXPECT_NEAR(arm.inertia->rotation(0, 0), 0.2, 1e-15);
  EXPECT_NEAR(arm.inertia->rotation(1, 1), 0.1, 1e-15);
  EXPECT_NEAR(arm.inertia->rotation(0, 1), 0, 1e-15);
  ASSERT_EQ(arm.collisions.size(), 4u);
  EXPECT_EQ(arm.collisions[0].shape.kind, ShapeKind::box);
  EXPECT_EQ(arm.collisions[0].shape.size.z, 3);
  EXPECT_EQ(arm.collisions[0].pose.position.z, 1);
  EXPECT_EQ(arm.collisions[1].shape.kind, ShapeKind::sphere);
  EXPECT_EQ(arm.collisions[2].shape.kind, ShapeKind::cylinder);
  EXPECT_EQ(arm.collisions[3].shape.kind, ShapeKind::capsule);
  EXPECT_EQ(arm.collisions[3].shape.length, 0.3);
  EXPECT_EQ(r.links[3].joint.mimic->link, 2);
  EXPECT_EQ(r.links[3].joint.mimic->multiplier, -3);
  EXPECT_EQ(r.links[3].joint.mimic->offset, 0.25);
  EXPECT_TRUE(std::isinf(r.links[3].joint.upper));
  EXPECT_EQ(r.links[3].joint.max_effort, 8);
  EXPECT_EQ(r.links[4].joint.kind, JointKind::fixed);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_EQ(r.warnings[0], "test.urdf: joint 'turn': friction = 0.2 is ignored");
}

/// Roll, then pitch, then yaw, about the fixed axes of the parent.
TEST(Urdf, AnglesAreRollPitchYaw) {
  const RobotDescription r =
      parse_urdf(robot(link("base", "") + link("arm", "") +
                       joint("j", "fixed", "base", "arm", "<origin rpy='0.3 -0.8 1.1'/>")),
                 "test.urdf", "");
  const double a = 0.3, b = -0.8, c = 1.1;
  const Mat3d roll{{{1, 0, 0}, {0, cos(a), -sin(a)}, {0, sin(a), cos(a)}}};
  const Mat3d pitch{{{cos(b), 0, sin(b)}, {0, 1, 0}, {-sin(b), 0, cos(b)}}};
  const Mat3d yaw{{{cos(c), -sin(c), 0}, {sin(c), cos(c), 0}, {0, 0, 1}}};
  const Mat3d expected = yaw * pitch * roll;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      EXPECT_NEAR(r.links[1].joint.origin.rotation(i, j), expected(i, j), 1e-15);
}

TEST(Urdf, TheOrderInTheFileDoesNotMatter) {
  const std::string a = link("base", ""), b = link("x"), c = link("y");
  const std::string d = joint("jx", "revolute", "base", "x"),
                    e = joint("jy", "revolute", "base", "y");
  const RobotDescription r = parse_urdf(robot(a + b + c + d + e), "", ""),
                         s = parse_urdf(robot(e + c + d + b + a), "", "");
  ASSERT_EQ(r.links.size(), s.links.size());
  for (std::size_t i = 0; i < r.links.size(); ++i) EXPECT_EQ(r.links[i].name, s.links[i].name);
}

struct Bad {
  const char* what;
  std::string text;
  std::string message;  // a part of it
};

TEST(Urdf, UnusableFilesAreNamedErrors) {
  const auto inertia = [](const std::string& moments, const std::string& mass = "2") {
    return two("<inertial><mass value='" + mass + "'/><inertia " + moments + "/></inertial>");
  };
  const std::string ball = "ixx='0.1' ixy='0' ixz='0' iyy='0.1' iyz='0' izz='0.1'";
  const auto hinge = [](const std::string& inside) {
    return robot(link("base", "") + link("arm") + joint("j", "revolute", "base", "arm", inside));
  };
  const std::string limit = "<limit lower='-1' upper='2' effort='3' velocity='4'/>";
  const auto shape = [](const std::string& geometry) {
    return two(kInertial + "<collision name='c'><geometry>" + geometry + "</geometry></collision>");
  };
  const std::vector<Bad> cases{
      {"empty", "",
       "test.urdf:1: not a URDF file (must be well-formed XML: No document element found)"},
      {"not XML", "hello", "not a URDF file (must be well-formed XML: No document element found)"},
      {"another root", "\n<sdf/>", "test.urdf:2: not a URDF file (the root element is <sdf>"},
      {"zero bytes", std::string("<robot\0name='r'/>", 17), "zero bytes"},
      {"no links", "<robot name='r'/>", "test.urdf: not a usable URDF file (it has no links)"},
      {"no name of a link", robot("<link/>"), "link name = missing (must be given)"},
      {"unclosed", "<robot name='r'><link name='a'/>",
       "not a URDF file (must be well-formed XML: Start-end tags"},
      {"two roots", robot(link("a", "") + link("b", "")),
       "link 'b': parent = missing (must be given for every link but the root 'a'; a joint makes "
       "it the child of another link)"},
      {"no root",
       robot(link("a") + link("b") + joint("j", "revolute", "a", "b") +
             joint("k", "revolute", "b", "a")),
       "link 'a': parent = a loop (must be none for one link of the file, the root"},
      {"loop beside the root",
       robot(link("base", "") + link("a") + link("b") + joint("j", "revolute", "a", "b") +
             joint("k", "revolute", "b", "a")),
       "link 'a': parent = a loop (must be reached from the root 'base'"},
      {"two parents",
       robot(link("base", "") + link("a") + link("b") + joint("j", "revolute", "base", "a") +
             joint("k", "revolute", "base", "b") + joint("l", "revolute", "a", "b")),
       "link 'b': joints to a parent = k, l (must be one"},
      {"own parent", robot(link("base", "") + link("a") + joint("j", "revolute", "a", "a")),
       "loop"},
      {"same link twice", robot(link("a", "") + link("a", "")),
       "link 'a': name = a (must be unique)"},
      {"same joint twice",
       robot(link("base", "") + link("a") + link("b") + joint("j", "revolute", "base", "a") +
             joint("j", "revolute", "base", "b")),
       "joint 'j': name = j (must be unique)"},
      {"unknown parent", robot(link("a") + joint("j", "revolute", "nobody", "a")),
       "joint 'j': parent = 'nobody' (must be a link of this file)"},
      {"unknown child", robot(link("a") + joint("j", "revolute", "a", "nobody")),
       "joint 'j': child = 'nobody' (must be a link of this file)"},
      {"unknown type", robot(link("a") + link("b") + joint("j", "screw", "a", "b")),
       "joint 'j': type = screw (must be fixed, revolute, continuous, prismatic, planar or "
       "floating)"},
      {"no limits", hinge("<axis xyz='0 0 1'/>"),
       "test.urdf:1: joint 'j': limit = missing (must be given, with lower, upper, effort and "
       "velocity; add <limit lower=\"-1\" upper=\"1\" effort=\"100\" velocity=\"1\"/>)"},
      {"no limits of a slide",
       robot(link("base", "") + link("arm") + joint("a] is", "prismatic", "base", "arm", "")),
       "test.urdf:1: joint 'a] is': limit = missing (must be given, with lower, upper, effort and "
       "velocity; add <limit lower=\"0\" upper=\"0.1\""},
      {"limits upside down", hinge("<limit lower='2' upper='1' effort='3' velocity='4'/>"),
       "joint 'j': lower = 2 (must be <= upper = 1)"},
      {"no effort", hinge("<limit lower='-1' upper='1' velocity='4'/>"),
       "test.urdf:1: joint 'j': limit effort = missing (must be given; add effort=\"100\")"},
      {"no velocity", hinge("<limit lower='-1' upper='1' effort='4'/>"),
       "test.urdf:1: joint 'j': limit velocity = missing (must be given; add velocity=\"1\")"},
      {"words for velocity", hinge("<limit lower='-1' upper='1' effort='4' velocity='fast'/>"),
       "joint 'j': limit velocity = 'fast' (must be a finite number)"},
      {"negative effort", hinge("<limit lower='-1' upper='1' effort='-3' velocity='4'/>"),
       "joint 'j': effort = -3 (must be >= 0)"},
      {"negative velocity", hinge("<limit lower='-1' upper='1' effort='3' velocity='-4'/>"),
       "joint 'j': velocity = -4"},
      {"negative damping", hinge(limit + "<dynamics damping='-1'/>"), "joint 'j': damping = -1"},
      {"no axis", hinge(limit + "<axis xyz='0 0 0'/>"), "joint 'j': axis = 0 0 0"},
      {"two numbers", hinge(limit + "<axis xyz='0 1'/>"),
       "joint 'j': axis xyz = '0 1' (must be three finite numbers)"},
      {"not numbers", hinge(limit + "<axis xyz='0 one 0'/>"),
       "joint 'j': axis xyz = 'one' (must be a finite number)"},
      {"nan", hinge(limit + "<axis xyz='0 nan 1'/>"), "axis xyz = 'nan'"},
      {"inf", hinge(limit + "<origin xyz='0 inf 1'/>"), "origin xyz = 'inf'"},
      {"huge", hinge(limit + "<origin xyz='0 1e999 1'/>"), "origin xyz = '1e999'"},
      {"comma", hinge(limit + "<origin xyz='0,5 0 1'/>"), "origin xyz = '0,5' (must be"},
      {"mimic of nobody", hinge(limit + "<mimic joint='nobody'/>"),
       "joint 'j': mimic joint = 'nobody' (must be a joint of this robot that moves)"},
      {"mimic of itself", hinge(limit + "<mimic joint='j'/>"), "a circle"},
      {"massless moving link", two(""),
       "test.urdf: link 'arm': inertia = missing (must be given for a link that moves; joint 'j' "
       "is revolute)"},
      {"no mass", two("<inertial><inertia " + ball + "/></inertial>"),
       "link 'arm': mass = missing (must be given as <mass> in <inertial>; add <mass "
       "value=\"1\"/>)"},
      {"zero mass", inertia(ball, "0"), "link 'arm': mass = 0 (must be finite and > 0"},
      {"negative mass", inertia(ball, "-1"), "link 'arm': mass = -1"},
      {"negative radius", shape("<sphere radius='-1'/>"),
       "link 'arm' collision 'c': sphere radius = -1"},
      {"flat box", shape("<box size='1 0 1'/>"), "link 'arm' collision 'c': box size y = 0"},
      {"no length", shape("<cylinder radius='1'/>"),
       "link 'arm' collision 'c': cylinder length = missing (must be given)"},
      {"unknown shape", shape("<plane normal='0 0 1'/>"),
       "link 'arm' collision 'c': geometry = plane (must be box, sphere, cylinder, capsule or "
       "mesh)"},
      {"no shape", shape(""), "link 'arm' collision 'c': geometry = empty (must be box"},
      {"mesh without a file", shape("<mesh filename='nowhere.stl'/>"),
       "link 'arm' collision 'c': mesh filename = 'nowhere.stl' (must be a file that can be "
       "read; 'nowhere.stl' is none; names are relative"},
      {"mesh of a package", shape("<mesh filename='package://robot/arm.stl'/>"),
       "mesh filename = 'package://robot/arm.stl' (must be a file of a package above the URDF "
       "file; no folder above '' has it; name the package's folder with packages: {NAME: "
       "FOLDER} or --package NAME=FOLDER)"},
      {"mesh of the net", shape("<mesh filename='http://robot/arm.stl'/>"),
       "must be a path relative to the URDF file, or of a package"},
      {"mesh without a name", shape("<mesh filename=''/>"), "test.urdf"},
      {"mesh is a folder", shape("<mesh filename='/'/>"), "must be a file that can be read"},
  };
  for (const Bad& bad : cases) {
    std::string message;
    EXPECT_THAT(printed_by([&] { message = error_of(bad.text); }), IsEmpty()) << bad.what;
    EXPECT_THAT(message, HasSubstr(bad.message)) << bad.what;
    EXPECT_THAT(message, HasSubstr("test.urdf")) << bad.what;
  }
}

TEST(Urdf, CircleOfMimicsIsAnError) {
  const std::string limit = "<limit lower='-1' upper='2' effort='3' velocity='4'/>";
  EXPECT_THAT(error_of(robot(link("base", "") + link("a") + link("b") +
                             joint("ja", "revolute", "base", "a", limit + "<mimic joint='jb'/>") +
                             joint("jb", "revolute", "a", "b", limit + "<mimic joint='ja'/>"))),
              HasSubstr("mimic = a circle"));
}

TEST(Urdf, MasslessLinksMayBeFixedToOthersThatHaveMass) {
  EXPECT_EQ(error_of(robot(link("base", "") + link("bare", "") + link("weight") +
                           joint("j", "revolute", "base", "bare") +
                           joint("k", "fixed", "bare", "weight"))),
            "no error");
}

TEST(Urdf, AThinPlateIsABody) {
  EXPECT_EQ(error_of(two("<inertial><mass value='1'/><inertia ixx='0.0123457' ixy='0' ixz='0' "
                         "iyy='0.0234568' iyz='0' izz='0.0358025'/></inertial>")),
            "no error");
}

/// Path of the mesh of the second link.
std::string mesh_path(const std::string& file,
                      const UrdfOptions& options = {UrdfMeshes::try_read}) {
  return read_urdf(file, options).links[1].collisions[0].mesh_path;
}

std::string two_with_mesh(const std::string& attributes) {
  return two(kInertial + "<collision name='c'><geometry><mesh " + attributes +
             "/></geometry></collision>");
}

TEST(Urdf, MeshesOfPackagesAreFoundInTheFoldersAbove) {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("my_arm/urdf"));
  std::filesystem::create_directories(folder.file("my_arm/meshes"));
  std::filesystem::create_directories(folder.file("hands/meshes"));
  const std::string urdf = folder.file("my_arm/urdf/robot.urdf");
  const auto path_of = [&](const std::string& name) {
    std::ofstream(urdf) << two_with_mesh("filename='package://" + name + "'");
    return mesh_path(urdf);
  };
  std::ofstream(folder.file("my_arm/meshes/arm.stl")) << "solid\n";
  std::ofstream(folder.file("hands/meshes/hand.obj")) << "v 0 0 0\n";
  EXPECT_EQ(path_of("my_arm/meshes/arm.stl"), folder.file("my_arm/meshes/arm.stl"));
  EXPECT_EQ(path_of("/my_arm/meshes/arm.stl"), folder.file("my_arm/meshes/arm.stl"));
  EXPECT_EQ(path_of("hands/meshes/hand.obj"), folder.file("hands/meshes/hand.obj"));
  EXPECT_THROW(path_of("hands/meshes/arm.stl"), InputError);
}

TEST(Urdf, MeshesOfPackagesAreFoundInTheFolderThatIsGiven) {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("elsewhere/meshes"));
  std::filesystem::create_directories(folder.file("arm"));
  for (const char* file : {"elsewhere/meshes/arm.stl", "arm/arm.stl"})
    std::ofstream(folder.file(file)) << "solid\n";
  const std::string urdf = folder.file("robot.urdf");
  const UrdfOptions options{UrdfMeshes::try_read, {}, {}, {{"arm", folder.file("elsewhere")}}};
  std::ofstream(urdf) << two_with_mesh("filename='package://arm/meshes/arm.stl'");
  EXPECT_EQ(mesh_path(urdf, options), folder.file("elsewhere/meshes/arm.stl"));
  // The folder that is given wins over one above the file.
  std::ofstream(urdf) << two_with_mesh("filename='package://arm/arm.stl'");
  EXPECT_EQ(mesh_path(urdf), folder.file("arm/arm.stl"));
  try {
    mesh_path(urdf, options);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("must be a file of the package arm; '" +
                                        folder.file("elsewhere/arm.stl") + "' is none"));
  }
}

/// What the message says to write is tried.
TEST(Urdf, AFileOfAPackageThatIsElsewhereIsNamedAsItCanBeRead) {
  test::TemporaryFolder folder;
  std::filesystem::create_directories(folder.file("meshes"));
  std::ofstream(folder.file("meshes/arm.stl")) << "solid\n";
  const auto error_or_path = [&](const std::string& name) -> std::string {
    std::ofstream(folder.file("robot.urdf")) << two(
        kInertial + "<collision><geometry><mesh filename='" + name + "'/></geometry></collision>");
    try {
      return mesh_path(folder.file("robot.urdf"));
    } catch (const InputError& error) {
      return error.what();
    }
  };
  EXPECT_THAT(error_or_path("package://my_arm/meshes/arm.stl"),
              HasSubstr("; write filename=\"meshes/arm.stl\", which is there)"));
  EXPECT_EQ(error_or_path("meshes/arm.stl"), folder.file("meshes/arm.stl"));
  EXPECT_THAT(error_or_path("package://my_arm/meshes/hand.stl"),
              HasSubstr("name the package's folder with packages: {NAME: FOLDER} or --package"));
  EXPECT_THAT(error_or_path("package://"), HasSubstr("must be a file of a package"));
  EXPECT_THAT(error_or_path("package:////"), HasSubstr("must be a file of a package"));
}

TEST(Urdf, MeshesAreScaledAndClosed) {
  test::TemporaryFolder folder;
  TriangleMesh box = test::box_mesh({0, 0, 0}, {1, 1, 1});
  std::ofstream(folder.file("box.obj")) << test::obj_text(box);
  box.triangles.pop_back();
  std::ofstream(folder.file("open.obj")) << test::obj_text(box);
  const std::string urdf = folder.file("robot.urdf");
  const auto read = [&](const std::string& mesh, const UrdfOptions& options = {}) {
    std::ofstream(urdf) << two_with_mesh("filename='" + mesh + "' scale='1 2 -3'");
    return read_urdf(urdf, options);
  };
  const auto volume = [](const RobotDescription& r) {
    return solid_integrals(*r.links[1].collisions[0].mesh, "mesh").volume_m3;
  };
  const RobotDescription good = read("box.obj"), repaired = read("open.obj");
  EXPECT_NEAR(volume(good), 6, 1e-12);
  EXPECT_THAT(good.warnings, IsEmpty());
  EXPECT_NEAR(volume(repaired), 6, 1e-12);
  ASSERT_EQ(repaired.warnings.size(), 1u);
  EXPECT_THAT(repaired.warnings[0], HasSubstr("link 'arm' collision 'c': the mesh " +
                                              folder.file("open.obj") + " is open (3 edges): "));
  const auto refusal = [&](const std::string& mesh, const UrdfOptions& options) {
    try {
      read(mesh, options);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_THAT(refusal("open.obj", {UrdfMeshes::read, RobotRepair::none}),
              HasSubstr("robot.urdf:1: link 'arm': " + folder.file("open.obj") +
                        ": the mesh is not closed: 3 edges are open"));
  std::ofstream(folder.file("flat.obj")) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_THAT(refusal("flat.obj", {}), HasSubstr("flat.obj: the mesh has no volume"));
  const RobotDescription lenient = read("flat.obj", {UrdfMeshes::try_read});
  EXPECT_EQ(lenient.links[1].collisions[0].mesh, nullptr);
  EXPECT_THAT(lenient.warnings[0], HasSubstr("the mesh has no volume"));
}

TEST(Urdf, TheUpAxisOfColladaMeshesIsAWarningUnlessItIsUsed) {
  test::TemporaryFolder folder;
  const TriangleMesh box = test::box_mesh({0, 0, 0}, {1, 2, 3});
  std::ofstream(folder.file("y.dae")) << test::collada_text(box, "Y_UP", 1);
  std::ofstream(folder.file("z.dae")) << test::collada_text(box, "Z_UP", 1);
  const auto warnings = [&](const std::string& mesh, ColladaUpAxis up_axis) {
    return parse_urdf(two_with_mesh("filename='" + mesh + "'"), "r.urdf", folder.path(),
                      {UrdfMeshes::read, RobotRepair::automatic, up_axis})
        .warnings;
  };
  const std::vector<std::string> as_written = warnings("y.dae", ColladaUpAxis::as_written);
  ASSERT_EQ(as_written.size(), 1u);
  EXPECT_THAT(as_written[0], HasSubstr("y.dae has the up axis Y_UP: meshes are used as they are"));
  EXPECT_THAT(warnings("y.dae", ColladaUpAxis::z_up), IsEmpty());
  EXPECT_THAT(warnings("z.dae", ColladaUpAxis::as_written), IsEmpty());
}

TEST(Urdf, XacroFilesAreAnsweredWithTheCommandThatExpandsThem) {
  EXPECT_THAT(error_of("<robot xmlns:xacro='http://wiki.ros.org/xacro'><xacro:arm/></robot>"),
              HasSubstr("test.urdf:1: <xacro:arm>: is a xacro file (must be URDF; expand it: pip "
                        "install xacro && "
                        "xacro test.urdf > robot.urdf)"));
  // What xacro writes keeps the name space.
  EXPECT_EQ(error_of("<robot xmlns:xacro='x'><!-- <xacro:arm/> --><xacro:property name='p'/>"
                     "<link name='a'/></robot>"),
            "no error");
}

TEST(Urdf, MeshesAreFoundBesideTheFileOrIgnored) {
  test::TemporaryFolder folder;
  std::ofstream(folder.file("arm.stl")) << "solid\n";
  std::ofstream(folder.file("robot.urdf"))
      << two(kInertial +
             "<collision name='c'><geometry><mesh filename='arm.stl' scale='1 2 3'/></geometry>"
             "</collision>");
  const RobotDescription r = read_urdf(folder.file("robot.urdf"), {UrdfMeshes::try_read});
  ASSERT_EQ(r.links[1].collisions.size(), 1u);
  EXPECT_EQ(r.links[1].collisions[0].mesh_path, folder.file("arm.stl"));
  EXPECT_EQ(r.links[1].collisions[0].mesh_scale.z, 3);
  std::filesystem::remove(folder.file("arm.stl"));
  EXPECT_THROW(read_urdf(folder.file("robot.urdf")), InputError);
  const RobotDescription without = read_urdf(folder.file("robot.urdf"), {UrdfMeshes::ignore});
  EXPECT_TRUE(without.links[1].collisions.empty());
  ASSERT_EQ(without.warnings.size(), 1u);
  EXPECT_THAT(without.warnings[0], HasSubstr("mesh 'arm.stl' is ignored"));
}

TEST(Urdf, FilesThatCannotBeReadAreErrors) {
  test::TemporaryFolder folder;
  EXPECT_THROW(read_urdf(folder.file("none.urdf")), InputError);
  EXPECT_THROW(read_urdf(folder.path()), InputError);
}

TEST(Urdf, DeepNestingIsReadOrRefused) {
  std::string deep, end;
  for (int i = 0; i < 300000; ++i) deep += "<a>", end += "</a>";
  EXPECT_THAT(error_of(robot(deep)), HasSubstr("not a URDF file (must be well-formed XML: "));
  EXPECT_THAT(error_of("<robot name='r'>" + link("base", "") + deep + end + "</robot>"),
              HasSubstr("no error"));
}

class UrdfAsset : public ::testing::TestWithParam<const char*> {
 protected:
  std::string text() const {
    return test::text_of(test::source_file(std::string("scenarios/assets/") + GetParam()));
  }
};

TEST_P(UrdfAsset, EveryTruncationIsAnErrorAndSilent) {
  const std::string whole = text();
  const std::size_t end = whole.rfind("</robot>") + 8;
  std::mt19937 random(1);
  for (int trial = 0; trial < 200; ++trial) {
    const std::size_t at = random() % end;
    std::string message;
    EXPECT_THAT(printed_by([&] { message = error_of(whole.substr(0, at)); }), IsEmpty()) << at;
    EXPECT_NE(message, "no error") << at;
  }
  EXPECT_EQ(error_of(whole), "no error");
}

TEST_P(UrdfAsset, DamagedBytesAreAnErrorOrARobot) {
  const std::string whole = text();
  std::mt19937 random(2);
  int errors = 0;
  for (int trial = 0; trial < 500; ++trial) {
    std::string damaged = whole;
    const int n = 1 + static_cast<int>(random() % 4);
    for (int i = 0; i < n; ++i) {
      const std::size_t at = random() % damaged.size();
      switch (random() % 3) {
        case 0:
          damaged[at] = static_cast<char>(random() % 256);
          break;
        case 1:
          damaged.erase(at, 1 + random() % 40);
          break;
        default:
          damaged.insert(at, damaged.substr(random() % damaged.size(), random() % 200));
      }
      if (damaged.empty()) damaged = " ";
    }
    EXPECT_THAT(printed_by([&] { errors += error_of(damaged) != "no error"; }), IsEmpty());
  }
  EXPECT_GT(errors, 100);
}

INSTANTIATE_TEST_SUITE_P(Assets, UrdfAsset,
                         ::testing::Values("panda/panda.urdf", "panda/panda_gripper.urdf",
                                           "free_gripper/free_gripper.urdf"),
                         [](const auto& instance) {
                           std::string name = instance.param;
                           for (char& c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

}  // namespace
}  // namespace nodia
