/// Elastic joint with six degrees of freedom between two frames: the element of Cosserat rods, ball
/// joints, clamps and mounts.
///
///   strain     e_t = R_ai^T (p_j - p_i), p = x + R c [m];   e_r = log(R_ai^T R_aj), R_a = R Q
///   [rad] energy     psi = 1/2 (e - e0)^T K (e - e0), K = diag(K_t, K_r) [J] force      -J^T K (e
///   - e0), exact: on x [N], torque on omega about x, world axes [N m] stiffness  J^T K J, J the
///   Jacobian of e with respect to (v_i, w_i, v_j, w_j), world axes
///
/// For neighbouring links of length l of a rod along e_z, c_i = (l/2) e_z, c_j = -(l/2) e_z, Q = I
/// and e0 = 0 give the published discrete rod
///   e_t = R_i^T (x_j - (l/2) R_j e_z - x_i) - (l/2) e_z,  e_r = log(R_i^T R_j),
///   K = diag(GA, GA, EA, EI, EI, GJ)/l.
#pragma once

#include <cstdint>

#include "kernels/core/rotation.hpp"

namespace nodia {

/// Position of a frame's centre of mass and its orientation.
struct FramePose {
  Vec3d position{};  ///< [m]
  Quaternion orientation{};

  NODIA_HD Vec3d to_world(Vec3d p) const { return position + rotate(orientation, p); }
};

/// Converts a pose between matrix and quaternion.
NODIA_HD FramePose frame_pose(const Pose& pose) {
  return {pose.position, quaternion_from_rotation(pose.rotation)};
}
NODIA_HD Pose matrix_pose(const FramePose& pose) {
  return {pose.position, rotation_matrix(pose.orientation)};
}

struct FrameJoint {
  Vec3d point_i{}, point_j{};     ///< c in the axes of its frame, from its centre of mass [m]
  Quaternion axes_i{}, axes_j{};  ///< Q, from joint axes to the axes of the frame
  Vec3d stiffness_N_m{};          ///< K_t along the joint axes of i, >= 0
  Vec3d stiffness_Nm_rad{};       ///< K_r about the joint axes of i, >= 0; 0 is a ball joint
  Vec3d rest_translation{};       ///< e0 [m]
  Vec3d rest_rotation{};          ///< e0 [rad]
  double damping_s = 0;           ///< beta of D = beta J^T K J, >= 0 [s]
};

/// Poses at which the Jacobians of joints are taken: after a share of the motion in the step, or at
/// its start as published (Lee et al.).
enum class JointDirections : std::uint8_t { middle, start };

struct JointStrain {
  Vec3d translation{};  ///< e_t [m]
  Vec3d rotation{};     ///< e_r [rad]
};

/// e, without subtraction of the rest strain.
NODIA_HD JointStrain joint_strain(const FrameJoint& joint, const FramePose& i, const FramePose& j) {
  const Quaternion axes_i = i.orientation * joint.axes_i;
  const Vec3d d = j.to_world(joint.point_j) - i.to_world(joint.point_i);
  return {inverse_rotate(axes_i, d),
          rotation_log(conjugate(axes_i) * (j.orientation * joint.axes_j))};
}

/// psi [J]
NODIA_HD double joint_energy(const FrameJoint& joint, const FramePose& i, const FramePose& j) {
  const JointStrain e = joint_strain(joint, i, j);
  const Vec3d t = e.translation - joint.rest_translation;
  const Vec3d r = e.rotation - joint.rest_rotation;
  double energy = 0;
  for (int a = 0; a < 3; ++a) {
    energy +=
        0.5 * (joint.stiffness_N_m[a] * t[a] * t[a] + joint.stiffness_Nm_rad[a] * r[a] * r[a]);
  }
  return energy;
}

/// e - e0 and J at one pose. Row a of J is (-axis, arm_i, axis, arm_j) for the translations and (0,
/// -turn, 0, turn) for the rotations.
struct JointRows {
  JointStrain strain;  ///< e - e0
  Vec3d axis[3];       ///< joint axes of i, world
  Vec3d arm_i[3];      ///< axis x (p_j - x_i) [m]
  Vec3d arm_j[3];      ///< (p_j - x_j) x axis [m]
  Vec3d turn[3];       ///< rows of J_l^-1(e_r) R_ai^T
};

NODIA_HD JointRows joint_rows(const FrameJoint& joint, const FramePose& i, const FramePose& j) {
  const Quaternion axes_i = i.orientation * joint.axes_i;
  const Mat3d axes = transpose(rotation_matrix(axes_i));
  const Vec3d arm_j = rotate(j.orientation, joint.point_j);
  const Vec3d arm_i = j.position + arm_j - i.position;
  const Vec3d d = arm_i - rotate(i.orientation, joint.point_i);
  const Vec3d e_r = rotation_log(conjugate(axes_i) * (j.orientation * joint.axes_j));
  const Mat3d turn = inverse_left_jacobian(e_r) * axes;
  JointRows rows;
  rows.strain = {axes * d - joint.rest_translation, e_r - joint.rest_rotation};
  for (int a = 0; a < 3; ++a) {
    rows.axis[a] = axes.row[a];
    rows.arm_i[a] = cross(axes.row[a], arm_i);
    rows.arm_j[a] = cross(arm_j, axes.row[a]);
    rows.turn[a] = turn.row[a];
  }
  return rows;
}

/// J times the velocities of the two frames: the rate of e [m/s, rad/s].
NODIA_HD JointStrain joint_rate(const JointRows& rows, Vec3d v_i, Vec3d w_i, Vec3d v_j, Vec3d w_j) {
  JointStrain rate;
  for (int a = 0; a < 3; ++a) {
    rate.translation[a] =
        dot(rows.axis[a], v_j - v_i) + dot(rows.arm_i[a], w_i) + dot(rows.arm_j[a], w_j);
    rate.rotation[a] = dot(rows.turn[a], w_j - w_i);
  }
  return rate;
}

/// Forces on the centres of mass [N] and torques about them [N m], world axes.
struct JointForces {
  Vec3d force_i{}, torque_i{}, force_j{}, torque_j{};
};

/// -J^T K e for a strain e, for example that of the rows.
NODIA_HD JointForces joint_forces(const FrameJoint& joint, const JointRows& rows, JointStrain e) {
  JointForces f;
  for (int a = 0; a < 3; ++a) {
    const double t = joint.stiffness_N_m[a] * e.translation[a];
    const double r = joint.stiffness_Nm_rad[a] * e.rotation[a];
    f.force_j -= t * rows.axis[a];
    f.torque_i += r * rows.turn[a] - t * rows.arm_i[a];
    f.torque_j -= r * rows.turn[a] + t * rows.arm_j[a];
  }
  f.force_i = -f.force_j;
  return f;
}

/// c J^T K J for c >= 0, as blocks over (v_i, w_i, v_j, w_j) on and right of the diagonal. The
/// diagonal blocks are symmetric to the last bit.
struct JointStiffness {
  Mat3d vi_vi, vi_wi, vi_vj, vi_wj;
  Mat3d wi_wi, wi_vj, wi_wj;
  Mat3d vj_vj, vj_wj;
  Mat3d wj_wj;
};

NODIA_HD JointStiffness joint_stiffness(const FrameJoint& joint, const JointRows& rows, double c) {
  Mat3d tt{}, ti{}, tj{}, ii{}, ij{}, jj{}, rr{};
  for (int a = 0; a < 3; ++a) {
    const double t = std::sqrt(c * joint.stiffness_N_m[a]);
    const double r = std::sqrt(c * joint.stiffness_Nm_rad[a]);
    const Vec3d axis = t * rows.axis[a], arm_i = t * rows.arm_i[a], arm_j = t * rows.arm_j[a];
    const Vec3d turn = r * rows.turn[a];
    tt = tt + outer(axis, axis);
    ti = ti + outer(axis, arm_i);
    tj = tj + outer(axis, arm_j);
    ii = ii + outer(arm_i, arm_i);
    ij = ij + outer(arm_i, arm_j);
    jj = jj + outer(arm_j, arm_j);
    rr = rr + outer(turn, turn);
  }
  return {tt, -1.0 * ti, -1.0 * tt, -1.0 * tj, ii + rr, transpose(ti), ij - rr, tt, tj, jj + rr};
}

}  // namespace nodia
