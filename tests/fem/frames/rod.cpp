#include "fem/frames/rod.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "kernels/core/error.hpp"
#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using std::numbers::pi;

Vec3d end_of(const RodLink& link, double side) {
  return link.pose.to_world({0, 0, side * link.length_m / 2});
}

/// Links meet end to end, and their joints are free of stress.
void expect_chain(const std::vector<RodLink>& links) {
  const RodSection section = RodSection::circle(0.01);
  for (std::size_t k = 1; k < links.size(); ++k) {
    EXPECT_LT(norm(end_of(links[k - 1], 1) - end_of(links[k], -1)), 1e-14);
    const FrameJoint joint = rod_joint(section, {}, links[k - 1], links[k]);
    EXPECT_LT(norm(joint.rest_translation), 1e-14);
    EXPECT_LT(joint_energy(joint, links[k - 1].pose, links[k].pose), 1e-18);
  }
}

FramePose somewhere() {
  return {{0.3, -0.2, 1}, quaternion_exp({0.4, 1.1, -0.6})};
}

TEST(Rod, CircleAndRectangleHaveTheirConstants) {
  const RodSection c = RodSection::circle(0.1);
  EXPECT_NEAR(c.area_m2, pi * 0.01, 1e-16);
  EXPECT_NEAR(c.second_moment_x_m4, pi * 1e-4 / 4, 1e-18);
  EXPECT_NEAR(c.torsion_constant_m4, c.second_moment_x_m4 + c.second_moment_y_m4, 1e-18);
  // Timoshenko: J = 0.1406 a^4 for a square, 0.2287 a b^3 for 2 : 1, a b^3/3 for a strip.
  EXPECT_NEAR(RodSection::rectangle(1, 1).torsion_constant_m4, 0.140577, 1e-6);
  EXPECT_NEAR(RodSection::rectangle(1, 2).torsion_constant_m4, 2 * 0.228682, 1e-5);
  EXPECT_NEAR(RodSection::rectangle(1e4, 1).torsion_constant_m4, 1e4 / 3, 1);
  const RodSection r = RodSection::rectangle(0.2, 0.1);  // wide along e_x
  EXPECT_NEAR(r.second_moment_x_m4, 0.2 * 1e-3 / 12, 1e-18);
  EXPECT_NEAR(r.second_moment_y_m4, 0.1 * 8e-3 / 12, 1e-18);
}

TEST(Rod, StraightLinksLieAlongTheStart) {
  const auto links = straight_rod(somewhere(), 0.7, 9);
  expect_chain(links);
  EXPECT_LT(norm(end_of(links.front(), -1) - somewhere().position), 1e-15);
  EXPECT_LT(norm(end_of(links.back(), 1) - somewhere().to_world({0, 0, 0.7})), 1e-15);
}

TEST(Rod, ArcHasItsVerticesOnTheCircleForBothSigns) {
  for (const double angle : {0.7, -0.7, 2 * pi, -4.0}) {
    const int n = 12;
    const auto links = arc_rod(somewhere(), 0.4, angle, n);
    expect_chain(links);
    const double side = angle > 0 ? 1 : -1;
    for (int k = 0; k < n; ++k) {
      const double s = angle * (k + 1) / n;
      const Vec3d vertex{side * 0.4 * (1 - std::cos(s)), 0, side * 0.4 * std::sin(s)};
      EXPECT_LT(norm(end_of(links[k], 1) - somewhere().to_world(vertex)), 1e-14);
    }
  }
}

TEST(Rod, PolylineOfAnArcIsThatArcWithoutTwist) {
  const auto arc = arc_rod({}, 0.5, 1.5, 40);
  std::vector<Vec3d> points{end_of(arc[0], -1)};
  for (const RodLink& link : arc) points.push_back(end_of(link, 1));
  const auto links = polyline_rod(points, rotate(arc[0].pose.orientation, {1, 0, 0}), 40);
  expect_chain(links);
  for (int k = 0; k < 40; ++k) {
    EXPECT_LT(norm(links[k].pose.position - arc[k].pose.position), 1e-13);
    const Quaternion between = conjugate(arc[k].pose.orientation) * links[k].pose.orientation;
    EXPECT_LT(norm(rotation_log(between)), 1e-12);
  }
}

TEST(Rod, PolylineCutsCornersAndTurnsBack) {
  const auto links = polyline_rod({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {1, 1, 1}}, {}, 10);
  expect_chain(links);
  EXPECT_LT(norm(end_of(links.front(), -1)), 1e-15);
  EXPECT_LT(norm(end_of(links.back(), 1) - Vec3d{1, 1, 1}), 1e-15);
  for (const RodLink& link : links) EXPECT_LE(link.length_m, 0.3 + 1e-14);
  // A hairpin: neighbours point in opposite directions.
  expect_chain(polyline_rod({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {0, 0, 1}, 2));
}

TEST(Rod, LinkOfACircleIsASolidCylinder) {
  RodMaterial material;
  material.density_kg_m3 = 700;
  const double r = 0.03, l = 0.2;
  const RodSection section = RodSection::circle(r);
  const double m = link_mass(section, material, l);
  const Mat3d I = link_inertia(section, material, l);
  EXPECT_NEAR(m, 700 * pi * r * r * l, 1e-13);
  EXPECT_NEAR(I(0, 0), m * (3 * r * r + l * l) / 12, 1e-16);
  EXPECT_NEAR(I(1, 1), I(0, 0), 1e-18);
  EXPECT_NEAR(I(2, 2), m * r * r / 2, 1e-16);
}

TEST(Rod, JointHasTheStiffnessOfItsLength) {
  RodMaterial material;
  material.youngs_modulus_Pa = 3e6;
  material.poissons_ratio = 0.25;
  const RodSection s = RodSection::rectangle(0.02, 0.01);
  const auto links = straight_rod({}, 1, 10);
  const double G = 3e6 / 2.5;
  FrameJoint joint = rod_joint(s, material, links[0], links[1]);
  EXPECT_NEAR(joint.stiffness_N_m.x, G * s.area_m2 / 0.1, 1e-9);
  EXPECT_NEAR(joint.stiffness_N_m.z, 3e6 * s.area_m2 / 0.1, 1e-9);
  EXPECT_NEAR(joint.stiffness_Nm_rad.x, 3e6 * s.second_moment_x_m4 / 0.1, 1e-12);
  EXPECT_NEAR(joint.stiffness_Nm_rad.y, 3e6 * s.second_moment_y_m4 / 0.1, 1e-12);
  EXPECT_NEAR(joint.stiffness_Nm_rad.z, G * s.torsion_constant_m4 / 0.1, 1e-12);
  material.shear_correction = 0.5;
  joint = rod_joint(s, material, links[0], links[1]);
  EXPECT_NEAR(joint.stiffness_N_m.y, 0.5 * G * s.area_m2 / 0.1, 1e-9);
}

TEST(Rod, ClampIsFreeOfStressAtAnyPose) {
  const RodSection section = RodSection::circle(0.01);
  for (const RodEnd end : {RodEnd::rear, RodEnd::front}) {
    const RodLink link{{{1, 2, 3}, quaternion_exp({1, -2, 0.5})}, 0.2};
    const FrameJoint joint = rod_clamp(section, {}, somewhere(), link, end, 0.1);
    EXPECT_LT(joint_energy(joint, somewhere(), link.pose), 1e-20);
    EXPECT_LT(norm(link.pose.to_world(joint.point_j) - end_of(link, end == RodEnd::rear ? -1 : 1)),
              1e-15);
  }
}

void expect_message(const std::string& text, const std::function<void()>& call) {
  try {
    call();
    ADD_FAILURE() << "no error for " << text;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
  }
}

TEST(Rod, BadValuesAreNamed) {
  const double nan = std::nan("");
  expect_message("n_link = 0", [] { straight_rod({}, 1, 0); });
  expect_message("length_m = -1", [] { straight_rod({}, -1, 3); });
  expect_message("angle_rad = 0", [] { arc_rod({}, 1, 0, 3); });
  expect_message("n_link = 1", [] { arc_rod({}, 1, 4, 1); });
  expect_message("points = 1", [] { polyline_rod({{0, 0, 0}}, {}, 2); });
  expect_message("points = 1", [] { polyline_rod({{0, 0, 0}, {0, 0, 0}}, {}, 2); });
  expect_message("n_link = 1", [] { polyline_rod({{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}, {}, 1); });
  expect_message("radius_m = nan", [&] { RodSection::circle(nan); });
  const auto expect_rule = [&](const char* text, auto change) {
    RodMaterial material;
    change(material);
    expect_message(text, [&] { material.validate("rod"); });
  };
  expect_rule("rod.youngs_modulus_Pa = 0", [](RodMaterial& m) { m.youngs_modulus_Pa = 0; });
  expect_rule("rod.poissons_ratio = 0.6", [](RodMaterial& m) { m.poissons_ratio = 0.6; });
  expect_rule("rod.poissons_ratio = -1", [](RodMaterial& m) { m.poissons_ratio = -1; });
  expect_rule("rod.density_kg_m3 = nan", [&](RodMaterial& m) { m.density_kg_m3 = nan; });
  expect_rule("rod.shear_correction = 0", [](RodMaterial& m) { m.shear_correction = 0; });
  expect_rule("rod.damping_s = -1", [](RodMaterial& m) { m.damping_s = -1; });
  expect_rule("rod.drag_translation_N_s_m = -1",
              [](RodMaterial& m) { m.drag_translation_N_s_m = -1; });
  expect_rule("rod.drag_rotation_Nms_rad = nan",
              [&](RodMaterial& m) { m.drag_rotation_Nms_rad = nan; });
  EXPECT_NO_THROW(RodMaterial{}.validate("rod"));
}

}  // namespace
}  // namespace nodia
