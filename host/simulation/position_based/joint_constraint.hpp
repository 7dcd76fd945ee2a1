/// An elastic joint (kernels/elements/frame_joint.hpp) as one compliant constraint on six strains.
#pragma once

#include "fem/frames/frame_model.hpp"
#include "host/simulation/position_based/compliant.hpp"
#include "host/simulation/position_based/row_motion.hpp"

namespace nodia {

struct JointConstraint {
  FrameJoint joint{};
  FrameRef i, j;
  int index = 0;  ///< index in the FrameModel

  Vector6 scale = Vector6::Zero();  ///< diagonal of S [sqrt(N/m) s], [sqrt(N m) s]
  double gamma = 0;                 ///< beta/h
  Vector6 mu = Vector6::Zero();     ///< scaled multipliers of the substep
  Vector6 start = Vector6::Zero();  ///< strain at the start of the substep, if gamma > 0
  JointRows rows{};                 ///< rows of the last projection
  JointLoad mean_load{};            ///< mean over the step, summed over the substeps

  /// @param h  substep [s]
  void set_substep(double h) {
    for (int a = 0; a < 3; ++a) {
      scale[a] = h * std::sqrt(joint.stiffness_N_m[a]);
      scale[a + 3] = h * std::sqrt(joint.stiffness_Nm_rad[a]);
    }
    gamma = joint.damping_s / h;
  }

  /// @param prescribed  current poses of frames without unknowns
  FramePose pose(FrameRef side, const RowMotion& motion,
                 const std::vector<FramePose>& prescribed) const {
    const auto k = static_cast<std::size_t>(side.index);
    return side.prescribed ? prescribed[k] : motion.frames[k];
  }
  Vector6 strain(const RowMotion& motion, const std::vector<FramePose>& prescribed) {
    rows = joint_rows(joint, pose(i, motion, prescribed), pose(j, motion, prescribed));
    Vector6 e;
    put(rows.strain.translation, 0, &e);
    put(rows.strain.rotation, 3, &e);
    return e;
  }
  void begin(const RowMotion& motion, const std::vector<FramePose>& prescribed) {
    mu.setZero();
    if (gamma > 0) start = strain(motion, prescribed);
  }
  /// S (C + gamma (C - C_start)) + mu
  Vector6 defect(const RowMotion& motion, const std::vector<FramePose>& prescribed) {
    Vector6 e = strain(motion, prescribed);
    if (gamma > 0) e += gamma * (e - start);
    return scale.cwiseProduct(e) + mu;
  }
  void project(RowMotion* motion, const std::vector<FramePose>& prescribed) {
    const Vector6 rhs = -defect(*motion, prescribed);
    const Vector6 change = matrix(*motion).llt().solve(rhs);
    mu += change;
    push(scale.cwiseProduct(change), motion);
  }
  /// Adds h^2 F of the substep to mean_load. @param weight  1/(h^2 n_substep)
  void add_load(double weight, const RowMotion& motion, const std::vector<FramePose>& prescribed) {
    const Vector6 lambda = weight * scale.cwiseProduct(mu);
    const FramePose pose_j = pose(j, motion, prescribed);
    mean_load.point = pose_j.to_world(joint.point_j);
    for (int a = 0; a < 3; ++a) {
      mean_load.force += lambda[a] * rows.axis[a];
      mean_load.torque += lambda[a + 3] * rows.turn[a];
    }
  }

 private:
  /// (1 + gamma) S J W J^T S + I; row a of J is (-axis, arm_i, axis, arm_j) or (0, -turn, 0, turn).
  Matrix6 matrix(const RowMotion& motion) const {
    Matrix6 G = Matrix6::Zero();
    const auto add = [&](FrameRef side, const Vec3d* arm, double sign) {
      if (side.prescribed) return;
      const Mat3d& W = motion.inverse_inertia[static_cast<std::size_t>(side.index)];
      const double w = motion.frame_inverse_mass(side.index);
      for (int a = 0; a < 3; ++a) {
        const Vec3d W_arm = W * arm[a], W_turn = sign * (W * rows.turn[a]);
        G(a, a) += w;
        for (int b = 0; b < 3; ++b) {
          G(b, a) += dot(arm[b], W_arm);
          G(b, a + 3) += dot(arm[b], W_turn);
          G(a + 3, b) += dot(arm[b], W_turn);
          G(b + 3, a + 3) += sign * dot(rows.turn[b], W_turn);
        }
      }
    };
    add(i, rows.arm_i, -1);
    add(j, rows.arm_j, 1);
    G = (1 + gamma) * (scale.asDiagonal() * G * scale.asDiagonal());
    G.diagonal().array() += 1;
    return G;
  }
  void push(const Vector6& lambda, RowMotion* motion) const {
    Vec3d p{}, l_i{}, l_j{};
    for (int a = 0; a < 3; ++a) {
      p += lambda[a] * rows.axis[a];
      l_i += lambda[a] * rows.arm_i[a] - lambda[a + 3] * rows.turn[a];
      l_j += lambda[a] * rows.arm_j[a] + lambda[a + 3] * rows.turn[a];
    }
    if (!i.prescribed) motion->push_frame(i.index, -p, l_i);
    if (!j.prescribed) motion->push_frame(j.index, p, l_j);
  }
};

}  // namespace nodia
