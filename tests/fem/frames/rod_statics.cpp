// Equilibria of rods against exact rod theory: benchmarks 10 to 16 of large deformation.
#include <gtest/gtest.h>

#include <numbers>
#include <utility>

#include "tests/support/frame_system.hpp"

namespace nodia {
namespace {

using test::add_end_force;
using test::FrameSystem;

using std::numbers::pi;

/// A rod clamped at its rear end, with half a link as the length of the clamp.
struct Cantilever {
  FrameSystem s;
  std::vector<RodLink> links;
  double length;
  Vec3d pulled{};  ///< last force of pull() [N]

  Cantilever(std::vector<RodLink> rod, const RodSection& section, const RodMaterial& material,
             double clamp_part = 0.5)
      : links(std::move(rod)), length(0) {
    for (const RodLink& link : links) length += link.length_m;
    const int first = s.add_rod(links, section, material);
    s.clamp(section, material, links[0], first, clamp_part * links[0].length_m);
    s.finish();
  }
  int last() const { return static_cast<int>(links.size()) - 1; }
  double link_length() const { return links.back().length_m; }
  Vec3d tip() const { return s.point(last(), {0, 0, link_length() / 2}); }
  /// Dead force at the tip, reached from the last one in equal parts.
  void pull(Vec3d force, int n_part) {
    const Vec3d before = std::exchange(pulled, force);
    for (int part = 1; part <= n_part; ++part) {
      const Vec3d now = before + (static_cast<double>(part) / n_part) * (force - before);
      s.load = [this, now](const FrameSystem& state, std::vector<Vec3d>* external) {
        add_end_force(state, last(), link_length(), now, external);
      };
      s.newton(length);
    }
  }
};

RodMaterial soft(double E, double nu) {
  RodMaterial material;
  material.youngs_modulus_Pa = E;
  material.poissons_ratio = nu;
  return material;
}

/// Thin enough for shear and stretch to be far below the tolerances: EI = 1.
Cantilever elastica_rod(int n_link, double clamp_part = 0.5) {
  const RodSection section = RodSection::circle(1e-3);
  const RodMaterial material = soft(1 / section.second_moment_x_m4, 0);
  return Cantilever(straight_rod({}, 1, n_link), section, material, clamp_part);
}

struct Elastica {
  double load, w, u, theta;
};
constexpr Elastica kElastica[] = {{0.25, .08275, .00412, .12429},
                                  {1, .30172, .05643, .46135},
                                  {2, .49346, .16064, .78175},
                                  {5, .71379, .38763, 1.21537},
                                  {10, .81061, .55500, 1.43029}};

TEST(RodStatics, ElasticaOfEveryPublishedLoad) {
  Cantilever rod = elastica_rod(64);
  double worst = 0;
  for (const Elastica& e : kElastica) {
    rod.pull({e.load, 0, 0}, 4);
    const Vec3d tip = rod.tip();
    const Vec3d tangent = rotate(rod.s.q[rod.last()], {0, 0, 1});
    const double theta = std::atan2(tangent.x, tangent.z);
    worst = std::max(
        {worst, std::fabs(tip.x - e.w), std::fabs(1 - tip.z - e.u), std::fabs(theta - e.theta)});
  }
  EXPECT_LT(worst, 1e-3);
}

TEST(RodStatics, ElasticaIsOfSecondOrderAndOfFirstWithAWholeLinkAsClamp) {
  for (const double clamp_part : {0.5, 1.0}) {
    Vec3d tip[3];
    for (int level = 0; level < 3; ++level) {
      Cantilever rod = elastica_rod(16 << level, clamp_part);
      rod.pull({2, 0, 0}, 4);
      tip[level] = rod.tip();
    }
    const double order = std::log2(norm(tip[0] - tip[1]) / norm(tip[1] - tip[2]));
    const Vec3d limit =
        clamp_part == 0.5 ? tip[2] + (1.0 / 3) * (tip[2] - tip[1]) : tip[2] + (tip[2] - tip[1]);
    EXPECT_NEAR(order, clamp_part == 0.5 ? 2 : 1, 0.1);
    EXPECT_NEAR(limit.x, .49346, clamp_part == 0.5 ? 1e-5 : 1e-3);
    EXPECT_NEAR(1 - limit.z, .16064, clamp_part == 0.5 ? 1e-5 : 1e-3);
  }
}

TEST(RodStatics, PseudoTransientContinuationWithAComesToTheSameEquilibrium) {
  Cantilever newton = elastica_rod(32);
  newton.pull({2, 0, 0}, 4);
  Cantilever rod = elastica_rod(32);
  rod.s.load = newton.s.load;
  rod.s.step.time.step_s = 1;
  EXPECT_LT(rod.s.continuation(1, 4000), 100);
  for (int f = 0; f < 32; ++f) {
    EXPECT_LT(norm(rod.s.x[f] - newton.s.x[f]), 1e-8);
  }
}

// Bending with shear.
TEST(RodStatics, CantileverBendsAndShears) {
  const RodSection section = RodSection::rectangle(0.1, 0.1);
  RodMaterial material = soft(1e7, 0.3);
  material.shear_correction = 5.0 / 6;
  Cantilever rod(straight_rod({}, 1, 32), section, material);
  const double P = 1e-3;  // the answer of small deflections
  rod.pull({P, 0, 0}, 1);
  const double expected = P * (4e-3 + 0.0312e-3);
  EXPECT_NEAR(rod.tip().x, expected, 1e-3 * expected);
  // What the clamp feels, at the root.
  const JointLoad clamp = rod.s.model.joint_load(rod.s.model.n_joint() - 1, rod.s.step, nullptr);
  EXPECT_LT(norm(clamp.point - Vec3d{rod.s.x[0].x, 0, 0}), 1e-5);
  EXPECT_LT(norm(clamp.force + Vec3d{P, 0, 0}), 1e-9 * P);
  EXPECT_LT(norm(clamp.torque + cross(rod.tip() - clamp.point, {P, 0, 0})), 1e-8 * P);
}

// Bend of 45 degrees, radius 100, load out of its plane.
TEST(RodStatics, BendOf45DegreesFollowsRodTheory) {
  struct Row {
    double load;
    Vec3d tip;
  };
  const Row rows[] = {{300, {22.245, 58.779, 40.192}},
                      {450, {18.508, 52.239, 48.503}},
                      {600, {15.685, 47.150, 53.475}}};
  RodSection section = RodSection::rectangle(1, 1);
  section.torsion_constant_m4 = 1.0 / 6;
  // e_z of the start along y, e_x along x, so that the arc turns towards +x.
  const FramePose start{
      {}, quaternion_from_rotation(Mat3d::from_columns({1, 0, 0}, {0, 0, -1}, {0, 1, 0}))};
  double error[2];
  for (int level = 0; level < 2; ++level) {
    Cantilever rod(arc_rod(start, 100, pi / 4, 16 << level), section, soft(1e7, 0));
    EXPECT_LT(norm(rod.tip() - Vec3d{29.2893, 70.7107, 0}), 1e-3);
    error[level] = 0;
    for (const Row& row : rows) {
      rod.pull({0, 0, row.load}, 4);
      const Vec3d tip = rod.tip();
      error[level] = std::max(error[level], norm(tip - row.tip) / norm(row.tip));
    }
  }
  EXPECT_LT(error[0], 5e-3);
  EXPECT_NEAR(std::log2(error[0] / error[1]), 2, 0.3);
}

// Princeton beam; angle 0 loads the stiff plane.
TEST(RodStatics, PrincetonBeamFollowsRodTheory) {
  struct Row {
    double load, angle_deg, flat_mm, stiff_mm;
  };
  const Row rows[] = {{4.448, 45, 54.363, 3.613},
                      {8.896, 45, 105.933, 8.116},
                      {8.896, 90, 142.454, 0},
                      {13.345, 45, 152.513, 14.062},
                      {13.345, 90, 196.234, 0}};
  const RodSection section = RodSection::rectangle(12.77e-3, 3.2024e-3);
  double worst = 0;
  for (const Row& row : rows) {
    Cantilever rod(straight_rod({}, 0.508, 64), section, soft(71.7e9, 0.31));
    const double angle = row.angle_deg * pi / 180;
    rod.pull(row.load * Vec3d{std::cos(angle), std::sin(angle), 0}, 6);
    const Vec3d tip = 1e3 * rod.tip();
    worst = std::max(worst, std::fabs(tip.y / row.flat_mm - 1));
    if (row.stiff_mm > 0)
      worst = std::max(worst, std::fabs(tip.x / row.stiff_mm - 1));
    else
      EXPECT_LT(std::fabs(tip.x), 1e-6);
    if (row.load == 13.345 && row.angle_deg == 45) {
      // Twist about the axis, after the least turn that takes the axis where it is.
      const Quaternion q = rod.s.q[rod.last()];
      const Vec3d bend = cross(Vec3d{0, 0, 1}, rotate(q, {0, 0, 1}));
      const Quaternion least = quaternion_exp((std::asin(norm(bend)) / norm(bend)) * bend);
      EXPECT_NEAR(rotation_log(conjugate(least) * q).z * 180 / pi, -3.00, 0.02);
    }
  }
  EXPECT_LT(worst, 5e-3);
}

// An end moment rolls the rod up; the chain closes exactly.
TEST(RodStatics, EndMomentRollsTheRodUp) {
  const int n = 32;
  const double l = 1.0 / n;
  const RodSection section = RodSection::circle(0.05);
  Cantilever rod(straight_rod({}, 1, n), section, soft(1 / section.second_moment_x_m4, 0));
  for (int part = 1; part <= 16; ++part) {
    const double moment = 4 * pi * part / 16;  // EI/L = 1
    rod.s.load = [&](const FrameSystem&, std::vector<Vec3d>* external) {
      (*external)[2 * rod.last() + 1] += Vec3d{0, moment, 0};
    };
    rod.s.newton(1);
    // A moment m turns neighbours by m l: vertices on a circle, links its chords.
    if (part == 8 || part == 16) {
      EXPECT_LT(norm(rod.tip()), 1e-9);
      const Vec3d tangent = rotate(rod.s.q[rod.last()], {0, 0, 1});
      const double last_half = moment * l / 2;
      EXPECT_NEAR(std::atan2(tangent.x, tangent.z), -last_half, 1e-9);
    }
    if (part == 4) {
      EXPECT_NEAR(rod.tip().x, l / std::sin(pi * l / 2), 1e-9);
      EXPECT_NEAR(rod.tip().z, 0, 1e-9);
      EXPECT_NEAR(rod.tip().x, 2 / pi, 2 / pi * (pi * l / 2) * (pi * l / 2) / 5);
    }
  }
}

// Beside Euler's load, on the branch that a side force of 1e-4 of it selects. On the
// buckled branch P/P_E = (2 K(k)/pi)^2 and w/L = 2 k/K(k), k = sin(end angle/2).
TEST(RodStatics, ColumnBucklesAtEulersLoad) {
  const double euler = pi * pi / 4;  // EI = L = 1
  Cantilever rod = elastica_rod(64);
  rod.pull({1e-4 * euler, 0, -0.99 * euler}, 10);
  const double below = rod.tip().x;
  // For small deflections w = H tan(k L)/(P k) - H L/P, k^2 = P/EI.
  const double k = std::sqrt(0.99 * euler);
  EXPECT_NEAR(below, 1e-4 / 0.99 * (std::tan(k) / k - 1), 0.05 * below);

  rod.pull({0.5, 0, 0}, 1);
  rod.pull({0.5, 0, -1.05 * euler}, 1);
  rod.pull({1e-4 * euler, 0, -1.05 * euler}, 1);
  rod.pull({0, 0, -1.05 * euler}, 1);
  const double above = rod.tip().x;
  double low = 0, high = 0.9;  // modulus with w = 2 k/K(k)
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (2 * middle / std::comp_ellint_1(middle) < above ? low : high) = middle;
  }
  const double ratio = 2 * std::comp_ellint_1(low) / pi;
  const double critical = 1.05 * euler / (ratio * ratio);
  EXPECT_NEAR(critical, euler, 5e-3 * euler);
}

// Links with ball joints hang in a catenary.
TEST(RodStatics, ChainHangsInACatenary) {
  double error_sag[2], error_tension[2];
  for (int level = 0; level < 2; ++level) {
    const int n = 32 << level;
    const double span = 0.8, l = 1.0 / n;
    FrameSystem s;
    RodSection section = RodSection::circle(1e-2);
    RodMaterial material = soft(1e10, 0);  // stretches by 1e-6 under its weight
    const double weight = link_mass(section, material, l) * n * 9.81;
    const double a = 0.338202;
    std::vector<Vec3d> catenary;
    for (int k = 0; k <= 400; ++k) {
      const double along = span * k / 400;
      catenary.push_back(
          {along, 0, a * (std::cosh((along - span / 2) / a) - std::cosh(span / 2 / a))});
    }
    std::vector<RodLink> links = polyline_rod(catenary, {0, 1, 0}, n);
    for (RodLink& link : links) link.length_m = l;
    for (int k = 0; k < n; ++k) {
      s.add_body(link_mass(section, material, l), link_inertia(section, material, l),
                 links[k].pose);
      if (k == 0) continue;
      FrameJoint joint = rod_joint(section, material, links[k - 1], links[k]);
      joint.rest_translation = joint.stiffness_Nm_rad = {};
      s.model.add_joint(FrameRef::dynamic_frame(k - 1), FrameRef::dynamic_frame(k), joint);
    }
    const int world = s.model.add_prescribed({});
    int support[2];
    for (int end = 0; end < 2; ++end) {
      FrameJoint joint = rod_clamp(section, material, {}, links[end == 0 ? 0 : n - 1],
                                   end == 0 ? RodEnd::rear : RodEnd::front, l);
      joint.point_i = {end == 0 ? 0 : span, 0, 0};
      joint.stiffness_Nm_rad = {};
      support[end] = s.model.add_joint(FrameRef::prescribed_frame(world),
                                       FrameRef::dynamic_frame(end == 0 ? 0 : n - 1), joint);
    }
    s.finish();
    s.step.gravity = {0, 0, -9.81};
    s.newton(1, 1e-6 * weight);
    const double sag = -s.point(n / 2, {0, 0, -l / 2}).z;
    const JointLoad load = s.model.joint_load(support[1], s.step, nullptr);
    const double tension = norm(load.force) / weight;
    error_sag[level] = std::fabs(sag - 0.265438);
    error_tension[level] = std::fabs(tension - 0.603639);
    EXPECT_NEAR(load.force.z, weight / 2, 1e-8 * weight);  // EA/l times the rounding of x
  }
  EXPECT_LT(error_sag[1], 1e-3);
  EXPECT_NEAR(std::log2(error_sag[0] / error_sag[1]), 2, 0.3);
  EXPECT_NEAR(std::log2(error_tension[0] / error_tension[1]), 2, 0.3);
}

}  // namespace
}  // namespace nodia
