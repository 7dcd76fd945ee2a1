/// Forces that a robot's actuators are asked for, as potentials and dampers that a step takes
/// implicitly. Targets are those of the time where the step evaluates its forces, t_n + theta t.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/core/pose.hpp"

namespace nodia {

/// Force  stiffness (target - q) + damping (target_velocity - qd)  on one coordinate. An angle is
/// not wrapped: the target of a continuous joint counts its turns.
struct JointDrive {
  double stiffness = 0;        ///< Kp, >= 0 [N m/rad] or [N/m]
  double damping = 0;          ///< Kd, >= 0 [N m s/rad] or [N s/m]
  double target = 0;           ///< [rad] or [m]
  double target_velocity = 0;  ///< [rad/s] or [m/s]
};

/// Spring and damper between a frame on a link and a target frame, at the frame's origin:
///   force  = K (x_target - x) + D (v_target - v)
///   moment = K_r r + D_r (w_target - w),   r the rotation vector from the frame to the target.
/// Stiffness and damping are diagonal in the target's axes. r is taken along the shorter way round;
/// its stiffness is that of small r.
struct PoseDrive {
  std::int32_t link = 0;
  Pose frame{};               ///< in the link's frame
  Pose target{};              ///< world
  Vec3d linear_velocity{};    ///< of the target, world [m/s]
  Vec3d angular_velocity{};   ///< of the target, world [rad/s]
  Vec3d stiffness{};          ///< each >= 0 [N/m]
  Vec3d damping{};            ///< each >= 0 [N s/m]
  Vec3d angular_stiffness{};  ///< each >= 0 [N m/rad]
  Vec3d angular_damping{};    ///< each >= 0 [N m s/rad]
};

struct RobotControl {
  std::vector<JointDrive> joint;    ///< n_dof, or empty
  std::vector<PoseDrive> pose;      ///< any number
  std::vector<double> feedforward;  ///< n_dof efforts [N m] or [N], or empty
  /// The actuators carry the robot's own weight; then gravity has no stiffness either.
  bool gravity_compensation = false;
};

}  // namespace nodia
