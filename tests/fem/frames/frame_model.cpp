#include "fem/frames/frame_model.hpp"

#include <gtest/gtest.h>

#include "kernels/core/error.hpp"
#include "kernels/elements/rigid_body.hpp"
#include "tests/support/dense_algebra.hpp"
#include "tests/support/fem_random.hpp"
#include "tests/support/frame_system.hpp"

namespace nodia {
namespace {

using test::diagonal;
using test::FemRandom;
using test::FrameSystem;

Quaternion random_quaternion(FemRandom* random) {
  return normalized({random->normal(), random->normal(), random->normal(), random->normal()});
}

RodMaterial rubber() {
  RodMaterial material;
  material.youngs_modulus_Pa = 2e6;
  material.poissons_ratio = 0.4;
  return material;
}

FrameSystem free_rod(int n_link) {
  FrameSystem s;
  s.add_rod(straight_rod({{0.1, -0.3, 0.2}, quaternion_exp({0.3, 0.8, -0.2})}, 0.5, n_link),
            RodSection::circle(0.01), rubber());
  s.finish();
  return s;
}

void shake(FrameSystem* s, double speed, FemRandom* random) {
  for (std::size_t i = 0; i < s->v.size(); ++i)
    s->v[i] = random->vector(i % 2 == 0 ? speed : 10 * speed);
}

// With theta = 1/2 the fall is exact and everything is conserved.
TEST(FrameModel, FreeFallWithSpinIsExactAtTheMidpointRule) {
  FrameSystem s;
  const Mat3d inertia = diagonal(0.02, 0.03, 0.045);
  s.add_body(1.3, inertia, {{1, 2, 3}, quaternion_exp({0.4, 0.1, 2})});
  s.finish();
  s.v = {{3, -1, 8}, {2, 5, -3}};
  s.step.time.theta = 0.5;
  s.step.time.step_s = 1e-3;
  s.step.gravity = {0, 0, -9.81};
  const Vec3d L = rotate(s.q[0], inertia * inverse_rotate(s.q[0], s.v[1]));
  const double E = s.energy() + 1.3 * 9.81 * 3;
  const int n = 10000;
  for (int k = 0; k < n; ++k) s.one_step();
  const double t = 1e-3 * n;
  EXPECT_NEAR(s.x[0].z, 3 + 8 * t - 0.5 * 9.81 * t * t, 1e-12 * 490.5);
  EXPECT_NEAR(s.x[0].x, 1 + 3 * t, 1e-12 * 31);
  EXPECT_NEAR(s.v[0].z, 8 - 9.81 * t, 1e-12 * 98);
  const Vec3d L_end = rotate(s.q[0], inertia * inverse_rotate(s.q[0], s.v[1]));
  EXPECT_LT(norm(L_end - L), 1e-12 * norm(L));
  EXPECT_NEAR(s.energy() + 1.3 * 9.81 * s.x[0].z, E, 1e-12 * s.energy());
}

TEST(FrameModel, ConvergesWithSecondOrderAtTheMidpointRuleWithoutJoints) {
  Vec3d end[3];
  for (int level = 0; level < 3; ++level) {
    FrameSystem s;
    s.add_body(1, diagonal(0.02, 0.03, 0.045), {}, {0.4, 0.01});
    s.finish();
    s.v = {{3, -1, 8}, {2, 5, -3}};
    s.step.time.theta = 0.5;
    const int n = 50 << level;
    s.step.time.step_s = 1.0 / n;
    for (int k = 0; k < n; ++k) s.one_step();
    end[level] = s.v[1] + rotate(s.q[0], {1, 2, 3});
  }
  EXPECT_NEAR(std::log2(norm(end[0] - end[1]) / norm(end[1] - end[2])), 2, 0.1);
}

// Joint forces of links are a wrench and its opposite at the start of the step, and x moves by t
// v_next for theta = 1: both momenta are conserved whatever the step.
TEST(FrameModel, FreeRodKeepsBothMomentaAtThetaOne) {
  FemRandom random(1);
  for (const double t : {1e-3, 1e-2}) {
    FrameSystem s = free_rod(20);
    shake(&s, 0.3, &random);
    s.step.time.step_s = t;
    const Vec3d p = s.linear_momentum(), L = s.angular_momentum();
    const double scale = 0.5 * norm(p) + norm(L);
    for (int k = 0; k < 1000; ++k) s.one_step();
    EXPECT_LT(norm(s.linear_momentum() - p), 1e-11 * norm(p));
    EXPECT_LT(norm(s.angular_momentum() - L), 1e-11 * scale);
  }
}

TEST(FrameModel, FreeRodDoesNotGainEnergyAtThetaOne) {
  FemRandom random(2);
  for (const double t : {1e-4, 1e-3, 1e-2, 0.1}) {
    FrameSystem s = free_rod(20);
    shake(&s, 0.3, &random);
    s.step.time.step_s = t;
    const double start = s.energy();
    double before = start;
    for (int k = 0; k < 500; ++k) {
      s.one_step();
      const double now = s.energy();
      EXPECT_LT(now, before + 1e-6 * start);
      before = now;
    }
    EXPECT_LT(before, start);
  }
}

// A heavy spinning top on a ball joint: gyroscopic term, joint and gravity together. Without
// geometric stiffness only theta = 1 is stable for steps near the period of the joint; theta = 1/2
// gains slowly even below it.
TEST(FrameModel, HeavyTopPrecessesWithoutGainingEnergy) {
  struct Row {
    double theta, step_s, gain, tilt, azimuth;
  };
  for (const Row& row : {Row{1, 1e-3, 1e-6, 1e-3, 2e-3}, Row{0.5, 1e-4, 3e-4, 1e-3, 2e-3},
                         Row{1, 1e-2, 5e-3, 3e-2, 4e-2}}) {
    FrameSystem s;
    const double m = 0.5, arm = 0.1, spin = 200, tilt = 0.5, g = 9.81;
    const double I1 = 1e-3 + m * arm * arm, I3 = 1.6e-3;
    const Quaternion q = quaternion_exp({tilt, 0, 0});
    s.add_body(m, diagonal(1e-3, 1e-3, I3), {rotate(q, {0, 0, arm}), q});
    FrameJoint ball;
    ball.point_j = {0, 0, -arm};
    ball.stiffness_N_m = {1e5, 1e5, 1e5};
    const int world = s.model.add_prescribed({});
    s.model.add_joint(FrameRef::prescribed_frame(world), FrameRef::dynamic_frame(0), ball);
    s.finish();
    // Steady precession: (I3 spin - I1 cos(tilt) Omega) Omega = m g arm, spin about the axis.
    const double c = I1 * std::cos(tilt);
    const double Omega =
        (I3 * spin - std::sqrt(I3 * I3 * spin * spin - 4 * c * m * g * arm)) / (2 * c);
    s.v[1] = Omega * Vec3d{0, 0, 1} + (spin - Omega * std::cos(tilt)) * rotate(q, {0, 0, 1});
    s.v[0] = cross(s.v[1], s.x[0]);
    s.step.time.theta = row.theta;
    s.step.time.step_s = row.step_s;
    s.step.gravity = {0, 0, -g};
    const auto energy = [&] { return s.energy() + m * g * s.x[0].z; };
    const double start = energy();
    double most = start;
    const int n = static_cast<int>(std::lround(2 / row.step_s));
    for (int k = 0; k < n; ++k) {
      s.one_step();
      most = std::max(most, energy());
    }
    const Vec3d axis = rotate(s.q[0], {0, 0, 1});
    const double off = std::remainder(std::atan2(axis.x, -axis.y) - 2 * Omega, 6.283185307179586);
    EXPECT_LT(most - start, row.gain * start);
    EXPECT_NEAR(std::acos(axis.z), tilt, row.tilt);
    EXPECT_NEAR(off, 0, row.azimuth);
  }
}

// Energy, forces and a step in time of a turned scene are those of the scene, turned.
TEST(FrameModel, TurnsWithTheScene) {
  FemRandom random(3);
  for (const double theta : {0.5, 1.0}) {
    FrameSystem s = free_rod(12);
    shake(&s, 0.5, &random);
    for (std::size_t f = 0; f < s.x.size(); ++f) {
      s.x[f] += random.vector(0.005);
      s.q[f] = turned(s.q[f], random.vector(0.3), 1);
    }
    s.step.time.theta = theta;
    s.step.gravity = {0, 0, -9.81};
    FrameSystem r = s;
    const Quaternion Q = random_quaternion(&random);
    const Vec3d c = random.vector(1);
    for (std::size_t f = 0; f < s.x.size(); ++f) {
      r.x[f] = c + rotate(Q, s.x[f]);
      r.q[f] = normalized(Q * s.q[f]);
    }
    for (std::size_t i = 0; i < s.v.size(); ++i) r.v[i] = rotate(Q, s.v[i]);
    r.step.gravity = rotate(Q, s.step.gravity);
    EXPECT_NEAR(r.energy(), s.energy(), 1e-12 * s.energy());
    s.solve();
    r.solve();
    double force = 0, difference = 0;
    for (std::size_t i = 0; i < s.b.size(); ++i) {
      force = std::max(force, norm(s.b[i]));
      difference = std::max(difference, norm(r.b[i] - rotate(Q, s.b[i])));
    }
    // Strains are differences of positions of order one: k L times rounding.
    const double kL = s.model.joint(0).stiffness_N_m.z * 1;
    EXPECT_LT(difference, 1e-12 * kL);
    s.advance();
    r.advance();
    for (std::size_t i = 0; i < s.v.size(); ++i)
      EXPECT_LT(norm(r.v[i] - rotate(Q, s.v[i])), 1e-9 * (1 + norm(s.v[i])));
  }
}

TEST(FrameModel, AnyRigidlyMovedRodIsAtRest) {
  FemRandom random(4);
  for (int trial = 0; trial < 20; ++trial) {
    FrameSystem s;
    s.add_rod(arc_rod({}, 0.3, 2.5, 15), RodSection::circle(0.01), rubber());
    s.finish();
    const Quaternion Q = random_quaternion(&random);
    const Vec3d c = random.vector(1);
    for (std::size_t f = 0; f < s.x.size(); ++f) {
      s.x[f] = c + rotate(Q, s.x[f]);
      s.q[f] = normalized(Q * s.q[f]);
    }
    const double kL = s.model.joint(0).stiffness_N_m.z;
    EXPECT_LT(s.rest_force().cwiseAbs().maxCoeff(), 1e-14 * kL);
  }
}

TEST(FrameModel, MatrixIsSymmetricAndAboveItsMassBound) {
  FemRandom random(5);
  FrameJoint joint;
  joint.stiffness_N_m = {100, 200, 300};
  joint.stiffness_Nm_rad = {1, 2, 3};
  FrameSystem t;
  t.add_rod(straight_rod({}, 0.5, 8), RodSection::circle(0.01), rubber());
  t.add_body(2, world_inertia(random.rotation(), diagonal(0.1, 0.2, 0.25)),
             {{0, 0, 1}, random_quaternion(&random)}, {0.3, 0.02});
  t.model.add_joint(FrameRef::dynamic_frame(8), FrameRef::dynamic_frame(3), joint);
  const int tool = t.model.add_prescribed({{{0.1, 0.2, 0.3}, random_quaternion(&random)}, {}, {}});
  t.model.add_joint(FrameRef::dynamic_frame(8), FrameRef::prescribed_frame(tool), joint);
  t.finish();
  for (auto& x : t.x) x += random.vector(0.02);
  shake(&t, 1, &random);
  for (const double theta : {0.5, 1.0}) {
    for (const bool geometric : {false, true}) {
      t.step.time.theta = theta;
      t.step.geometric_stiffness = geometric;
      t.assemble();
      Eigen::MatrixXd A(t.A.to_eigen());
      EXPECT_EQ((A - A.transpose()).norm(), 0);
      const std::vector<double> bound = t.model.mass_bound();
      for (int i = 0; i < A.rows(); ++i) A(i, i) -= bound[i / 3] / (theta * t.step.time.step_s);
      EXPECT_GT(test::eigenvalues(A)[0], -1e-12 * A.norm());
    }
  }
}

// A - M/(theta t) is (theta t + beta) J^T K J, and beta leaves b as it is.
TEST(FrameModel, DampingOfJointsIsAPartOfTheirStiffness) {
  const auto assembled = [](double t, double beta) {
    FrameSystem s;
    RodMaterial material = rubber();
    material.damping_s = beta;
    s.add_rod(arc_rod({}, 0.3, 1, 6), RodSection::circle(0.01), material);
    s.finish();
    for (std::size_t f = 0; f < s.x.size(); ++f) s.x[f].y += 1e-3 * std::sin(7.0 * f);
    s.step.time.step_s = t;
    s.assemble();
    return s;
  };
  const FrameSystem damped = assembled(0.01, 0.02), stiff = assembled(0.03, 0);
  const FrameSystem plain = assembled(0.01, 0);
  const Eigen::MatrixXd D(damped.A.to_eigen()), S(stiff.A.to_eigen()), P(plain.A.to_eigen());
  // P = M/0.01 + 0.01 K and S = M/0.03 + 0.03 K give K, and D - P = 0.02 K.
  const Eigen::MatrixXd K = (0.03 * S - 0.01 * P) / (0.03 * 0.03 - 0.01 * 0.01);
  EXPECT_LT((D - P - 0.02 * K).norm(), 1e-12 * D.norm());
  for (std::size_t i = 0; i < plain.b.size(); ++i) EXPECT_EQ(norm(damped.b[i] - plain.b[i]), 0);
}

TEST(FrameModel, AddsToItsRowsInsideALargerSystem) {
  FemRandom random(6);
  FrameSystem s = free_rod(5);
  shake(&s, 1, &random);
  s.assemble();
  const int offset = 4, n = offset + s.model.n_row() + 3;
  const auto pattern = BlockPattern::from_couplings(n, s.model.couplings(offset));
  FrameModel model = s.model;
  model.bind(*pattern, offset);
  BlockMatrix A(pattern);
  std::fill(A.value.begin(), A.value.end(), 0.0);
  for (int i = 0; i < n; ++i) A.set_block(pattern->diagonal[i], Mat3d::identity());
  std::vector<Vec3d> b(n, {1, 2, 3});
  model.assemble(s.step, A.value.data(), b.data() + offset);
  const Eigen::MatrixXd whole(A.to_eigen()), part(s.A.to_eigen());
  Eigen::MatrixXd expected = Eigen::MatrixXd::Identity(3 * n, 3 * n);
  expected.block(3 * offset, 3 * offset, part.rows(), part.cols()) += part;
  EXPECT_LT((whole - expected).norm(), 1e-12 * part.norm());
  for (int i = 0; i < n; ++i) {
    const bool inside = i >= offset && i < offset + s.model.n_row();
    const Vec3d added = b[i] - Vec3d{1, 2, 3};
    EXPECT_LT(norm(added - (inside ? s.b[i - offset] : Vec3d{})), 1e-12);
  }
}

// A body pulled by a moving tool through a joint: it follows, and the sensor reads mass times
// acceleration plus drag.
TEST(FrameModel, PrescribedFrameDragsABodyAndTheJointFeelsIt) {
  FrameSystem s;
  s.add_body(2, diagonal(0.1, 0.1, 0.1), {}, {3, 0});
  FrameJoint joint;
  joint.point_i = {0.2, 0, 0};
  joint.point_j = {0.2, 0, 0};
  joint.stiffness_N_m = {1e4, 1e4, 1e4};
  joint.stiffness_Nm_rad = {1e3, 1e3, 1e3};
  PrescribedFrame tool;
  const int t = s.model.add_prescribed(tool);
  const int k = s.model.add_joint(FrameRef::prescribed_frame(t), FrameRef::dynamic_frame(0), joint);
  s.finish();
  const Vec3d speed{0.1, -0.2, 0.3};
  for (int step = 0; step < 400; ++step) {
    tool.pose.position = (s.step.time.step_s * step) * speed;
    tool.velocity = speed;
    s.model.set_prescribed(t, tool);
    s.solve();
    if (step == 0) {
      const JointLoad load = s.model.joint_load(k, s.step, s.v_hat.data());
      // M (v_hat - v)/t = -drag v_hat + joint, theta = 1
      EXPECT_LT(norm(load.force - (2 / s.step.time.step_s + 3) * s.v_hat[0]), 1e-10);
    }
    s.advance();
  }
  EXPECT_LT(norm(s.v[0] - speed), 1e-9);
  tool.pose.position = (s.step.time.step_s * 400) * speed;
  s.model.set_prescribed(t, tool);
  const JointLoad load = s.model.joint_load(k, s.step, nullptr);
  EXPECT_LT(norm(load.force - 3.0 * speed), 1e-6);
}

TEST(FrameModel, TurningClampTurnsTheRodWithItRigidly) {
  FrameSystem s;
  const RodSection section = RodSection::circle(0.02);
  const auto links = straight_rod({}, 0.3, 6);
  s.add_rod(links, section, rubber());
  PrescribedFrame tool;
  const int t = s.model.add_prescribed(tool);
  s.model.add_joint(FrameRef::prescribed_frame(t), FrameRef::dynamic_frame(0),
                    rod_clamp(section, rubber(), {}, links[0], RodEnd::rear, 0.025));
  s.finish();
  tool.angular_velocity = {0, 0, 2};  // about the rod's own axis
  s.step.time.step_s = 0.005;
  for (int step = 0; step < 4000; ++step) {
    s.model.set_prescribed(t, tool);
    s.one_step();
    tool.pose.orientation =
        turned(tool.pose.orientation, tool.angular_velocity, s.step.time.step_s);
  }
  for (int f = 0; f < 6; ++f) {
    EXPECT_LT(norm(s.v[2 * f + 1] - tool.angular_velocity), 1e-6);
    const Quaternion lag = conjugate(tool.pose.orientation) * s.q[f];
    EXPECT_LT(norm(rotation_log(lag)), 1e-6);
  }
}

/// Section of a cable without bending stiffness.
RodSection limp_section() {
  RodSection section = RodSection::circle(0.002);
  section.second_moment_x_m4 = section.second_moment_y_m4 = 1e-20;
  section.torsion_constant_m4 = 2e-20;
  return section;
}

// A hanging chain of links under its weight: the fastest sideways vibration is beyond the step.
TEST(FrameModel, GeometricStiffnessKeepsATightChainStable) {
  double energy[2];
  for (const bool geometric : {false, true}) {
    FrameSystem s;
    const RodSection section = limp_section();
    const auto links = straight_rod({{}, quaternion_exp({3.0, 0, 0})}, 1, 60);
    RodMaterial material = rubber();
    material.youngs_modulus_Pa = 1e9;
    s.add_rod(links, section, material);
    FrameJoint joint = rod_clamp(section, material, {}, links[0], RodEnd::rear, 1.0 / 60);
    joint.stiffness_Nm_rad = {};
    s.model.add_joint(FrameRef::prescribed_frame(s.model.add_prescribed({})),
                      FrameRef::dynamic_frame(0), joint);
    s.finish();
    s.step.gravity = {0, 0, -9.81};
    s.step.time.step_s = 0.01;
    s.step.geometric_stiffness = geometric;
    double largest = 0;
    for (int k = 0; k < 3000; ++k) {
      s.one_step();
      largest = std::max(largest, s.model.kinetic_energy(s.q.data(), s.v.data()));
      if (geometric && k == 999) {
        EXPECT_LT(largest, 1e-3);
      }
    }
    energy[geometric] = largest;
  }
  EXPECT_GT(energy[0], 1);     // unstable
  EXPECT_LT(energy[1], 4e-3);  // the chain swings with 0.6 mJ
}

// The links' added inertia does not brake a chain that turns as a whole.
TEST(FrameModel, GeometricStiffnessKeepsTheSpinOfAFreeChain) {
  FrameSystem s;
  RodMaterial material = rubber();
  material.youngs_modulus_Pa = 1e9;
  s.add_rod(straight_rod({}, 1, 20), limp_section(), material);
  s.finish();
  const double spin = 6, t = 0.002;
  s.step.time.step_s = t;
  s.step.geometric_stiffness = true;
  for (int f = 0; f < 20; ++f) {
    s.v[2 * f] = cross(Vec3d{spin, 0, 0}, s.x[f] - s.x[0]);
    s.v[2 * f + 1] = {spin, 0, 0};
  }
  const auto momentum = [&] {
    Vec3d center{}, velocity{}, L{};
    for (int f = 0; f < 20; ++f) {
      center += (1.0 / 20) * s.x[f];
      velocity += (1.0 / 20) * s.v[2 * f];
    }
    for (int f = 0; f < 20; ++f)
      L += s.model.mass_kg(f) * cross(s.x[f] - center, s.v[2 * f] - velocity);
    return L;
  };
  const Vec3d start = momentum();
  for (int k = 0; k < 500; ++k) s.one_step();  // nearly one turn
  EXPECT_LT(norm(momentum() - start), 2e-3 * norm(start));
}

TEST(FrameModel, RejectsBadBodiesJointsAndPatterns) {
  FrameModel model;
  const Mat3d I = diagonal(1, 1, 1);
  EXPECT_THROW(model.add_rigid_body(0, I), InputError);
  EXPECT_THROW(model.add_rigid_body(std::nan(""), I), InputError);
  EXPECT_THROW(model.add_rigid_body(1, diagonal(1, 1, 0)), InputError);
  EXPECT_THROW(model.add_rigid_body(1, diagonal(1, -1, 1)), InputError);
  EXPECT_THROW(model.add_rigid_body(1, diagonal(1, std::nan(""), 1)), InputError);
  EXPECT_THROW(model.add_rigid_body(1, {{{1, 0.1, 0}, {0, 1, 0}, {0, 0, 1}}}), InputError);
  EXPECT_THROW(model.add_rigid_body(1, I, {-1, 0}), InputError);
  EXPECT_THROW(model.add_rigid_body(1, I, {0, -1}), InputError);
  EXPECT_EQ(model.add_rigid_body(1, I), 0);
  EXPECT_EQ(model.add_rigid_body(1, I), 1);
  const auto frame = FrameRef::dynamic_frame;
  EXPECT_THROW(model.add_joint(frame(0), frame(0), {}), std::invalid_argument);
  EXPECT_THROW(model.add_joint(frame(0), frame(2), {}), std::invalid_argument);
  EXPECT_THROW(model.add_joint(frame(0), FrameRef::prescribed_frame(0), {}), std::invalid_argument);
  FrameJoint joint;
  joint.stiffness_N_m.y = -1;
  EXPECT_THROW(model.add_joint(frame(0), frame(1), joint), InputError);
  joint = {};
  joint.damping_s = -1;
  EXPECT_THROW(model.add_joint(frame(0), frame(1), joint), InputError);
  model.add_joint(frame(0), frame(1), {});
  EXPECT_THROW(model.bind(*BlockPattern::from_couplings(4, {{0, 1}, {2, 3}}), 0),
               std::invalid_argument);
}

}  // namespace
}  // namespace nodia
