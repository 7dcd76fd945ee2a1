/// Forces of attachments, which couple nodes to moving frames; host and device.
#pragma once

#include <cstdint>

#include "kernels/core/pose.hpp"

namespace nodia {

/// One node of an attachment.
struct AttachedNode {
  std::int32_t node = 0, attachment = 0;
  std::int32_t next = -1;     ///< next entry of the same node; -1: none
  std::int32_t is_first = 1;  ///< 1: first entry of its node
};

/// Force on a node at x that is attached to the frame's point `target` [N].
NODIA_HD Vec3d attachment_force(double stiffness_N_m, Vec3d target, Vec3d x) {
  return stiffness_N_m * (target - x);
}

/// Forces and energies of an attachment, summed over its nodes.
struct AttachmentSums {
  /// Force on the frame at the end of the step, and torque about the frame's origin.
  Vec3d force_N{}, torque_Nm{};
  double work_J = 0;    ///< work of the frame in the step
  double energy_J = 0;  ///< elastic energy at the end of the step

  NODIA_HD void operator+=(const AttachmentSums& o) {
    force_N += o.force_N;
    torque_Nm += o.torque_Nm;
    work_J += o.work_J;
    energy_J += o.energy_J;
  }
};

/// Adds a node.
/// @param begin, end  poses of the frame in the step
/// @param place       position of the node in the frame [m]
/// @param x           position of the node at the end of the step [m]
NODIA_HD void add_attached_node(double stiffness_N_m, const Pose& begin, const Pose& end,
                                Vec3d place, Vec3d x, AttachmentSums* sums) {
  const Vec3d target = end.to_world(place);
  const Vec3d force = attachment_force(stiffness_N_m, target, x);
  sums->force_N -= force;
  sums->torque_Nm -= cross(target - end.position, force);
  sums->work_J += dot(force, target - begin.to_world(place));
  sums->energy_J += 0.5 * stiffness_N_m * squared_norm(target - x);
}

/// Frames of all attachments, consecutive.
struct AttachmentFrames {
  const Vec3d* position = nullptr;  ///< [m]
  const Mat3d* rotation = nullptr;

  bool operator==(const AttachmentFrames&) const = default;
  NODIA_HD Pose operator[](std::int64_t k) const { return {position[k], rotation[k]}; }
};

/// Attachments of an environment, plain data in the launcher's memory.
struct SoftAttachments {
  std::int32_t n_attachment = 0, n_attached_node = 0;
  std::int32_t first = 0;  ///< index of its first frame among those of all environments
  const AttachedNode* attached_node = nullptr;  ///< [n_attached_node]: ordered by attachment
  const std::int32_t* begin = nullptr;          ///< [n_attachment + 1] into `attached_node`
  const double* stiffness_N_m = nullptr;        ///< [n_attachment]
  const Vec3d* place = nullptr;  ///< [n_attached_node]: positions of the nodes in their frames [m]

  bool operator==(const SoftAttachments&) const = default;
};

}  // namespace nodia
