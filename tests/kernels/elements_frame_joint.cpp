#include "kernels/elements/frame_joint.hpp"

#include <gtest/gtest.h>

#include <array>

#include "tests/support/fem_random.hpp"

namespace nodia {
namespace {

using test::FemRandom;
using Frames = std::array<FramePose, 2>;
using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

Quaternion random_quaternion(FemRandom* random) {
  return normalized({random->normal(), random->normal(), random->normal(), random->normal()});
}

FrameJoint random_joint(FemRandom* random) {
  FrameJoint joint;
  joint.point_i = random->vector(0.3);
  joint.point_j = random->vector(0.3);
  joint.axes_i = random_quaternion(random);
  joint.axes_j = random_quaternion(random);
  for (int a = 0; a < 3; ++a) {
    joint.stiffness_N_m[a] = random->uniform(10, 1000);
    joint.stiffness_Nm_rad[a] = random->uniform(1, 100);
  }
  joint.rest_translation = random->vector(0.1);
  joint.rest_rotation = random->vector(0.5);
  return joint;
}

/// Frames with the relative rotation of the joint axes at most `turn`, and points apart by about
/// `apart`.
Frames random_frames(const FrameJoint& joint, double turn, double apart, FemRandom* random) {
  Frames f;
  f[0] = {random->vector(1), random_quaternion(random)};
  Vec3d phi = random->vector(1);
  phi = (random->uniform(0, turn) / norm(phi)) * phi;
  f[1].orientation =
      normalized(f[0].orientation * joint.axes_i * quaternion_exp(phi) * conjugate(joint.axes_j));
  f[1].position = f[0].to_world(joint.point_i) - rotate(f[1].orientation, joint.point_j) +
                  random->vector(apart);
  return f;
}

/// The frames moved by h times a unit velocity.
Frames moved(Frames f, int dof, double h) {
  Vec3d d{};
  d[dof % 3] = h;
  FramePose& frame = f[dof / 6];
  if (dof % 6 < 3)
    frame.position += d;
  else
    frame.orientation = normalized(quaternion_exp(d) * frame.orientation);
  return f;
}

/// Fourth-order central difference of a function of the frames.
template <class Function>
auto slope(const Frames& f, int dof, Function function) {
  const double h = 1e-3;
  using Value = decltype(function(f));
  const Value near = function(moved(f, dof, h)) - function(moved(f, dof, -h));
  const Value far = function(moved(f, dof, 2 * h)) - function(moved(f, dof, -2 * h));
  return Value((8 * near - far) / (12 * h));
}

Vector12 stacked(const JointForces& f) {
  Vector12 v;
  for (int a = 0; a < 3; ++a) {
    v[a] = f.force_i[a];
    v[3 + a] = f.torque_i[a];
    v[6 + a] = f.force_j[a];
    v[9 + a] = f.torque_j[a];
  }
  return v;
}

Vector12 exact_forces(const FrameJoint& joint, const Frames& f) {
  const JointRows rows = joint_rows(joint, f[0], f[1]);
  return stacked(joint_forces(joint, rows, rows.strain));
}

Matrix12 dense(const JointStiffness& K) {
  const Mat3d zero{};
  const Mat3d* upper[4][4] = {{&K.vi_vi, &K.vi_wi, &K.vi_vj, &K.vi_wj},
                              {&zero, &K.wi_wi, &K.wi_vj, &K.wi_wj},
                              {&zero, &zero, &K.vj_vj, &K.vj_wj},
                              {&zero, &zero, &zero, &K.wj_wj}};
  Matrix12 m;
  for (int a = 0; a < 4; ++a) {
    for (int b = a; b < 4; ++b) {
      m.block<3, 3>(3 * a, 3 * b) = to_eigen(*upper[a][b]);
      m.block<3, 3>(3 * b, 3 * a) = to_eigen(*upper[a][b]).transpose();
    }
  }
  return m;
}

TEST(FrameJoint, ForcesAreTheSlopeOfTheEnergy) {
  FemRandom random(1);
  double worst = 0;
  for (int trial = 0; trial < 200; ++trial) {
    const FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 2.9, 0.5, &random);
    const Vector12 force = exact_forces(joint, f);
    Vector12 expected;
    for (int dof = 0; dof < 12; ++dof)
      expected[dof] =
          -slope(f, dof, [&](const Frames& g) { return joint_energy(joint, g[0], g[1]); });
    worst = std::max(worst, (force - expected).norm() / force.norm());
  }
  EXPECT_LT(worst, 1e-8);
}

TEST(FrameJoint, StiffnessIsTheProductOfTheSlopesOfTheStrain) {
  FemRandom random(2);
  double worst = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 2.9, 0.5, &random);
    Eigen::Matrix<double, 6, 12> J;
    for (int dof = 0; dof < 12; ++dof) {
      J.col(dof) = slope(f, dof, [&](const Frames& g) {
        const JointStrain e = joint_strain(joint, g[0], g[1]);
        Eigen::Matrix<double, 6, 1> v;
        for (int a = 0; a < 3; ++a) {
          v[a] = e.translation[a];
          v[3 + a] = e.rotation[a];
        }
        return v;
      });
    }
    Eigen::Matrix<double, 6, 1> gain;
    for (int a = 0; a < 3; ++a) {
      gain[a] = joint.stiffness_N_m[a];
      gain[3 + a] = joint.stiffness_Nm_rad[a];
    }
    const Matrix12 expected = 0.3 * J.transpose() * gain.asDiagonal() * J;
    const Matrix12 K = dense(joint_stiffness(joint, joint_rows(joint, f[0], f[1]), 0.3));
    worst = std::max(worst, (K - expected).norm() / expected.norm());
  }
  EXPECT_LT(worst, 1e-7);
}

TEST(FrameJoint, RateIsTheSlopeOfTheStrainAlongAMotion) {
  FemRandom random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 2.5, 0.5, &random);
    const Vec3d v[2] = {random.vector(), random.vector()},
                w[2] = {random.vector(), random.vector()};
    const auto after = [&](double t) {
      return joint_strain(joint, {f[0].position + t * v[0], turned(f[0].orientation, w[0], t)},
                          {f[1].position + t * v[1], turned(f[1].orientation, w[1], t)});
    };
    const double h = 1e-5;
    const JointStrain rate = joint_rate(joint_rows(joint, f[0], f[1]), v[0], w[0], v[1], w[1]);
    const JointStrain plus = after(h), minus = after(-h);
    EXPECT_LT(norm((0.5 / h) * (plus.translation - minus.translation) - rate.translation), 1e-8);
    EXPECT_LT(norm((0.5 / h) * (plus.rotation - minus.rotation) - rate.rotation), 1e-6);
  }
}

// At the rest strain the geometric stiffness vanishes, so J^T K J is the whole second derivative.
TEST(FrameJoint, StiffnessIsTheSlopeOfTheForceAtRest) {
  FemRandom random(4);
  for (int trial = 0; trial < 50; ++trial) {
    FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 2.5, 0.5, &random);
    const JointStrain rest = joint_strain(joint, f[0], f[1]);
    joint.rest_translation = rest.translation;
    joint.rest_rotation = rest.rotation;
    Matrix12 expected;
    for (int dof = 0; dof < 12; ++dof)
      expected.col(dof) = -slope(f, dof, [&](const Frames& g) { return exact_forces(joint, g); });
    const Matrix12 K = dense(joint_stiffness(joint, joint_rows(joint, f[0], f[1]), 1));
    EXPECT_LT((K - expected).norm(), 1e-7 * K.norm());
  }
}

TEST(FrameJoint, EnergyIsUnchangedAndForcesTurnWithARigidMotion) {
  FemRandom random(5);
  for (int trial = 0; trial < 200; ++trial) {
    const FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 3.0, 0.5, &random);
    const Quaternion q = random_quaternion(&random);
    const Vec3d c = random.vector(1);
    Frames g;
    for (int k = 0; k < 2; ++k)
      g[k] = {c + rotate(q, f[k].position), normalized(q * f[k].orientation)};
    const double energy = joint_energy(joint, f[0], f[1]);
    EXPECT_NEAR(joint_energy(joint, g[0], g[1]), energy, 1e-12 * energy);
    const Vector12 before = exact_forces(joint, f), after = exact_forces(joint, g);
    for (int block = 0; block < 4; ++block) {
      const Vec3d turned_force =
          rotate(q, Vec3d{before[3 * block], before[3 * block + 1], before[3 * block + 2]});
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(after[3 * block + a], turned_force[a], 1e-12 * before.norm());
    }
  }
}

TEST(FrameJoint, ForcesAreInBalanceAndStiffnessAnnihilatesRigidMotions) {
  FemRandom random(6);
  for (int trial = 0; trial < 100; ++trial) {
    const FrameJoint joint = random_joint(&random);
    const Frames f = random_frames(joint, 3.0, 0.5, &random);
    const JointRows rows = joint_rows(joint, f[0], f[1]);
    const JointForces force = joint_forces(joint, rows, rows.strain);
    EXPECT_LT(norm(force.force_i + force.force_j), 1e-12);
    const Vec3d moment = cross(f[0].position, force.force_i) + force.torque_i +
                         cross(f[1].position, force.force_j) + force.torque_j;
    EXPECT_LT(norm(moment), 1e-11 * exact_forces(joint, f).norm());
    const Matrix12 K = dense(joint_stiffness(joint, rows, 1));
    const Vec3d v = random.vector(), w = random.vector();
    Vector12 rigid;
    for (int k = 0; k < 2; ++k) {
      const Vec3d velocity = v + cross(w, f[k].position);
      for (int a = 0; a < 3; ++a) {
        rigid[6 * k + a] = velocity[a];
        rigid[6 * k + 3 + a] = w[a];
      }
    }
    EXPECT_LT((K * rigid).norm(), 1e-12 * K.norm());
    EXPECT_EQ(to_eigen(joint_stiffness(joint, rows, 0.7).wi_wi),
              to_eigen(joint_stiffness(joint, rows, 0.7).wi_wi).transpose().eval());
  }
}

// The published form of a rod's strain: a plain transcription.
TEST(FrameJoint, IsThePublishedRodElementForNeighbouringLinks) {
  FemRandom random(7);
  for (int trial = 0; trial < 100; ++trial) {
    const double l = random.uniform(0.01, 0.3);
    FrameJoint joint;
    joint.point_i = {0, 0, l / 2};
    joint.point_j = {0, 0, -l / 2};
    const Frames f = random_frames(joint, 2.9, 0.1 * l, &random);
    const Mat3d R_i = rotation_matrix(f[0].orientation), R_j = rotation_matrix(f[1].orientation);
    const Vec3d e_z{0, 0, 1};
    const Vec3d e_t =
        transpose_times(R_i, f[1].position - (l / 2) * (R_j * e_z) - f[0].position) - (l / 2) * e_z;
    const Vec3d e_r = rotation_log(transpose(R_i) * R_j);
    const JointStrain strain = joint_strain(joint, f[0], f[1]);
    EXPECT_LT(norm(strain.translation - e_t), 1e-14);
    EXPECT_LT(norm(strain.rotation - e_r), 1e-14);
  }
}

TEST(FrameJoint, BallJointCarriesNoMoment) {
  FemRandom random(8);
  FrameJoint joint = random_joint(&random);
  joint.stiffness_Nm_rad = {};
  joint.rest_translation = {};
  const Frames f = random_frames(joint, 3.0, 0.1, &random);
  const JointRows rows = joint_rows(joint, f[0], f[1]);
  const JointForces force = joint_forces(joint, rows, rows.strain);
  const Vec3d arm = rotate(f[1].orientation, joint.point_j);
  EXPECT_LT(norm(force.torque_j - cross(arm, force.force_j)), 1e-12 * norm(force.torque_j));
}

}  // namespace
}  // namespace nodia
