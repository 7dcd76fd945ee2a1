#include "fem/robot/repair_robot.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>
#include <random>

#include "fem/matrix/eigen_block.hpp"
#include "fem/matrix/symmetric_eigen.hpp"
#include "fem/mesh/solid_integrals.hpp"
#include "fem/robot/moments_of_inertia.hpp"
#include "fem/robot/robot_model.hpp"
#include "fem/robot/urdf.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string inertial(const std::string& mass, const std::string& moments) {
  return "<inertial><mass value='" + mass + "'/>" +
         (moments.empty() ? "" : "<inertia " + moments + "/>") + "</inertial>";
}

std::string link_of(const std::string& name, const std::string& inside) {
  return "<link name='" + name + "'>" + inside + "</link>";
}

std::string joint_to(const std::string& type, const std::string& parent, const std::string& child) {
  return "<joint name='to_" + child + "' type='" + type + "'><parent link='" + parent +
         "'/><child link='" + child + "'/><limit effort='1' velocity='1'/></joint>";
}

/// A link on a hinge.
std::string arm(const std::string& inside) {
  return "<robot name='r'>" + link_of("base", "") + link_of("arm", inside) +
         joint_to("continuous", "base", "arm") + "</robot>";
}

RobotDescription read_text(const std::string& text, RobotRepair repair = RobotRepair::automatic) {
  return parse_urdf(text, "r.urdf", "", {UrdfMeshes::read, repair});
}

Vec3d moments_of(const RobotLink& link) {
  const Eigen::Vector3d p = symmetric_eigenvalues(to_eigen(link.inertia->rotation));
  return {p[0], p[1], p[2]};
}

void expect_near(Vec3d a, Vec3d b, double tolerance) {
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(NearestMoments, AreTheGivenOnesOfABody) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> second(0.01, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double a = second(random), b = second(random), c = second(random);
    const Vec3d moments{b + c, c + a, a + b};
    ASSERT_TRUE(are_moments_of_a_body(moments));
    expect_near(nearest_moments(moments), moments, 1e-14);
  }
}

/// No moments of a body are nearer than those found.
TEST(NearestMoments, AreNearestAmongMomentsOfBodies) {
  std::mt19937 random(2);
  std::uniform_real_distribution<double> given(-1, 3), second(0, 2), step(-0.05, 0.05);
  for (int trial = 0; trial < 300; ++trial) {
    const Vec3d moments{given(random), given(random), given(random)};
    const Vec3d nearest = nearest_moments(moments);
    if (!(std::max({moments.x, moments.y, moments.z}) > 0)) continue;
    const double greatest = std::max({nearest.x, nearest.y, nearest.z});
    if (greatest > 0) {
      EXPECT_TRUE(are_moments_of_a_body(nearest));
      EXPECT_GE(std::min({nearest.x, nearest.y, nearest.z}), kLeastMoment * greatest * (1 - 1e-12));
    }
    // The floor moves each moment by at most kLeastMoment of the greatest.
    const double distance = norm(nearest - moments), slack = 2 * kLeastMoment * greatest + 1e-12;
    for (int candidate = 0; candidate < 2000; ++candidate) {
      Vec3d s{second(random), second(random), second(random)};
      if (candidate % 2 == 0) {  // beside the answer
        const double total = 0.5 * (nearest.x + nearest.y + nearest.z);
        for (int i = 0; i < 3; ++i) s[i] = std::max(0.0, total - nearest[i] + step(random));
      }
      const Vec3d other{s.y + s.z, s.z + s.x, s.x + s.y};
      EXPECT_LE(distance, norm(other - moments) + slack);
    }
  }
}

TEST(NearestMoments, OfARankOneTensorAreThoseOfADisc) {
  expect_near(nearest_moments({0, 0, 3}), {1, 1, 2}, 1e-15);
}

TEST(NearestMoments, AreZeroWhereNoneIsPositive) {
  expect_near(nearest_moments({0, 0, 0}), {}, 0);
  expect_near(nearest_moments({-1, -2, 0}), {}, 0);
}

TEST(RepairRobot, LeavesAGoodRobotAlone) {
  const RobotDescription r = read_text(arm(inertial("2", "ixx='1' iyy='1' izz='1'")));
  EXPECT_THAT(r.warnings, IsEmpty());
  EXPECT_EQ(r.links[1].inertia->rotation(0, 0), 1);
}

TEST(RepairRobot, MovesImpossibleMomentsToTheNearest) {
  const RobotDescription r = read_text(arm(inertial("2", "ixx='0.1' iyy='0.1' izz='0.3'")));
  EXPECT_THAT(r.warnings,
              ElementsAre("r.urdf: link 'arm': principal moments of inertia 0.1 0.1 0.3 kg m^2, "
                          "which no body has, became 0.133 0.133 0.267"));
  expect_near(moments_of(r.links[1]), {0.4 / 3, 0.4 / 3, 0.8 / 3}, 1e-15);
  EXPECT_NEAR(r.links[1].inertia->rotation(2, 2), 0.8 / 3, 1e-15) << "the axes stay";
  EXPECT_EQ(r.links[1].inertia->mass, 2);
}

TEST(RepairRobot, KeepsThePrincipalAxes) {
  const RobotDescription given =
      read_text(arm(inertial("2", "ixx='0.1' ixy='0.2' ixz='0' iyy='0.1' iyz='0' izz='0.1'")));
  // Moments -0.1, 0.1, 0.3 about the axes (1, -1, 0), z and (1, 1, 0).
  const Mat3d& I = given.links[1].inertia->rotation;
  expect_near(I * Vec3d{0, 0, 1}, moments_of(given.links[1])[1] * Vec3d{0, 0, 1}, 1e-15);
  EXPECT_NEAR(I(0, 0), I(1, 1), 1e-15);
  EXPECT_GT(I(0, 1), 0);
}

TEST(RepairRobot, GivesMissingInertiaThatOfTheShapes) {
  const std::string shapes =
      "<collision><origin xyz='0 0 1'/><geometry><box size='1 2 3'/></geometry></collision>";
  for (const char* moments : {"", "ixx='0' iyy='0' izz='0'"}) {
    const RobotDescription r = read_text(arm(inertial("6", moments) + shapes));
    EXPECT_THAT(r.warnings, ElementsAre("r.urdf: link 'arm': the missing inertia became that of "
                                        "the collision shapes at the link's mass"));
    expect_near(moments_of(r.links[1]), {6 / 12. * 5, 6 / 12. * 10, 6 / 12. * 13}, 1e-12);
  }
}

/// Two cubes in a row are a bar.
TEST(RepairRobot, JoinsTheShapesOfALink) {
  const auto cube = [](const char* x) {
    return std::string("<collision><origin xyz='") + x +
           " 0 0' rpy='0 0 1.5707963267948966'/><geometry><box size='1 1 1'/></geometry>"
           "</collision>";
  };
  const RobotDescription r = read_text(arm(inertial("3", "") + cube("0.5") + cube("1.5")));
  expect_near(moments_of(r.links[1]), {3 / 12. * 2, 3 / 12. * 5, 3 / 12. * 5}, 1e-12);
}

TEST(RepairRobot, TakesTheSolidOfAMeshOrTheHullOfAnOpenOne) {
  test::TemporaryFolder folder;
  const std::string tetrahedron = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\n";
  std::ofstream(folder.file("closed.obj")) << tetrahedron << "f 2 3 4\n";
  std::ofstream(folder.file("open.obj")) << tetrahedron;
  const auto moments = [&](const std::string& mesh) {
    const std::string text = arm(inertial("2", "") + "<collision><geometry><mesh filename='" +
                                 mesh + "' scale='2 2 -2'/></geometry></collision>");
    return moments_of(parse_urdf(text, "r.urdf", folder.path()).links[1]);
  };
  TriangleMesh mesh = read_triangle_mesh(folder.file("closed.obj"));
  for (Vec3d& vertex : mesh.vertices) vertex = 2.0 * vertex;
  const SolidIntegrals solid = solid_integrals(mesh, "");
  const Eigen::Vector3d p = 2 / solid.volume_m3 * symmetric_eigenvalues(to_eigen(solid.inertia_m5));
  for (const char* file : {"closed.obj", "open.obj"})
    expect_near(moments(file), {p[0], p[1], p[2]}, 1e-12);
}

TEST(RepairRobot, GivesALinkWithoutShapesTheInertiaOfABallOfWater) {
  const double mass = 1000 * 4 / 3. * std::numbers::pi * 0.001;  // of a radius of 0.1 m
  const RobotDescription r = read_text(arm(inertial(std::to_string(mass), "")));
  EXPECT_THAT(r.warnings, ElementsAre(HasSubstr("a ball of water of the link's mass")));
  EXPECT_NEAR(r.links[1].inertia->rotation(1, 1), 0.4 * mass * 0.01, 1e-6);
}

TEST(RepairRobot, MasslessLinksBelongToTheLinkThatTheyAreFixedTo) {
  const std::string good = inertial("2", "ixx='1' iyy='1' izz='1'");
  const RobotDescription r = read_text(
      "<robot name='r'>" + link_of("world", inertial("0", "ixx='0' iyy='0' izz='0'")) +
      link_of("arm", good) + link_of("flange", inertial("0", "ixx='1' iyy='1' izz='1'")) +
      joint_to("continuous", "world", "arm") + joint_to("fixed", "arm", "flange") + "</robot>");
  EXPECT_THAT(r.warnings,
              ElementsAre("r.urdf: link 'world': mass = 0: the link is part of the world",
                          "r.urdf: link 'flange': mass = 0: the link is part of 'arm'"));
  EXPECT_EQ(RobotModel(r).mass(), 2);
}

TEST(RepairRobot, ALoneLinkOfMassZeroIsStatic) {
  const RobotDescription r =
      read_text("<robot name='r'>" + link_of("floor", inertial("0", "")) + "</robot>");
  EXPECT_EQ(RobotModel(r).n_dof(), 0);
}

std::string refusal_of(const std::string& text, RobotRepair repair) {
  try {
    read_text(text, repair);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(RepairRobot, ALinkOfMassZeroThatMovesIsRefusedByItsName) {
  EXPECT_THAT(refusal_of(arm(inertial("0", "ixx='1' iyy='1' izz='1'")), RobotRepair::automatic),
              HasSubstr("r.urdf: link 'arm': mass = 0 (must be finite and > 0"));
  EXPECT_THAT(refusal_of(arm(inertial("-1", "ixx='1' iyy='1' izz='1'")), RobotRepair::automatic),
              HasSubstr("r.urdf: link 'arm': mass = -1 (must be finite and > 0"));
}

TEST(RepairRobot, IsLeftOutWithRepairNone) {
  const std::pair<std::string, std::string> cases[] = {
      {"ixx='0' iyy='0' izz='0'", "link 'arm': least principal moment of inertia = 0 (must be > 0"},
      {"", "link 'arm': least principal moment of inertia = 0"},
      {"ixx='0.1' ixy='0.2' iyy='0.1' izz='0.1'",
       "link 'arm': least principal moment of inertia = -0.1"},
      {"ixx='0.1' iyy='0.1' izz='0.3'", "link 'arm': greatest principal moment of inertia = 0.3"},
  };
  for (const auto& [moments, message] : cases) {
    EXPECT_THAT(refusal_of(arm(inertial("2", moments)), RobotRepair::none), HasSubstr(message));
    EXPECT_EQ(refusal_of(arm(inertial("2", moments)), RobotRepair::automatic), "no error");
  }
  EXPECT_THAT(refusal_of("<robot name='r'>" + link_of("a", inertial("0", "")) + "</robot>",
                         RobotRepair::none),
              HasSubstr("link 'a': mass = 0"));
}

}  // namespace
}  // namespace nodia
