/// Nodes held by moving frames: what a hold exerts, on the host and where it is launched.
#pragma once

#include <cstdint>

#include "kernels/core/pose.hpp"

namespace nodia {

/// One node of an attachment.
struct Hold {
  std::int32_t node = 0, attachment = 0;
  std::int32_t next = -1;     ///< of the same node, behind this one; -1: there is none
  std::int32_t is_first = 1;  ///< of its node: none is before this one
};

/// On a node at x that is held at the frame's point `target` [N].
NODIA_HD Vec3d hold_force(double stiffness_N_m, Vec3d target, Vec3d x) {
  return stiffness_N_m * (target - x);
}

/// What the nodes of an attachment exert and take, summed.
struct HoldSums {
  /// On the holder at the end of the step, the torque about its frame's origin.
  Vec3d force_N{}, torque_Nm{};
  double work_J = 0;    ///< done in the step by the frame
  double energy_J = 0;  ///< at its end

  NODIA_HD void operator+=(const HoldSums& o) {
    force_N += o.force_N;
    torque_Nm += o.torque_Nm;
    work_J += o.work_J;
    energy_J += o.energy_J;
  }
};

/// Adds a node.
/// @param begin, end  of the frame in the step
/// @param place       of the node in the frame [m]
/// @param x           of the node at the end of the step [m]
NODIA_HD void add_hold(double stiffness_N_m, const Pose& begin, const Pose& end, Vec3d place,
                       Vec3d x, HoldSums* sums) {
  const Vec3d target = end.to_world(place);
  const Vec3d force = hold_force(stiffness_N_m, target, x);
  sums->force_N -= force;
  sums->torque_Nm -= cross(target - end.position, force);
  sums->work_J += dot(force, target - begin.to_world(place));
  sums->energy_J += 0.5 * stiffness_N_m * squared_norm(target - x);
}

/// Frames of attachments, one behind another.
struct HoldFrames {
  const Vec3d* position = nullptr;  ///< [m]
  const Mat3d* rotation = nullptr;

  bool operator==(const HoldFrames&) const = default;
  NODIA_HD Pose operator[](std::int64_t k) const { return {position[k], rotation[k]}; }
};

/// The attachments of an environment, plain data in the launcher's memory.
struct SoftHolds {
  std::int32_t n_attachment = 0, n_hold = 0;
  std::int32_t first = 0;                 ///< of them among the frames of all environments
  const Hold* hold = nullptr;             ///< [n_hold]: attachment by attachment
  const std::int32_t* begin = nullptr;    ///< [n_attachment + 1] of `hold`
  const double* stiffness_N_m = nullptr;  ///< [n_attachment]
  const Vec3d* place = nullptr;           ///< [n_hold]: of the nodes in their frames [m]

  bool operator==(const SoftHolds&) const = default;
};

}  // namespace nodia
