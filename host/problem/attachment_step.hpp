/// Attachments: nodes held by frames on paths, for a solver that adds their forces on its device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/elements/attachment.hpp"

namespace nodia {

/// Attachments of an environment, constant over the steps.
struct AttachedNodes {
  std::vector<AttachedNode> attached_node;  ///< ordered by attachment
  std::vector<std::int32_t> begin;          ///< [n_attachment + 1] into `attached_node`
  std::vector<double> stiffness_N_m;

  int n_attachment() const { return static_cast<int>(stiffness_N_m.size()); }
};

/// Attachments of an environment in one step.
struct AttachmentStep {
  std::shared_ptr<const AttachedNodes> attached_nodes;  ///< null: no attachments
  /// Per entry of `attached_node`: position of the node in its frame [m].
  std::shared_ptr<const std::vector<Vec3d>> place;
  // Per attachment.
  std::vector<std::uint8_t> is_attached;  ///< 1: active in this step, frame on a path
  /// Frames of active attachments: theta t after the start, at the start and end of the step.
  std::vector<Pose> target, begin, end;
};

}  // namespace nodia
