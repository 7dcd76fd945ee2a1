/// Adds the contributions of attachments to the rows of their nodes.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

/// Targets of the attachments of all environments in one step, environment by environment.
struct AttachmentTargets {
  const std::uint8_t* is_attached = nullptr;  ///< 1 if the attachment is active in the step
  AttachmentFrames frame;                     ///< of active attachments, theta t after the start

  bool operator==(const AttachmentTargets&) const = default;
};

/// Writes SoftLoad::diagonal and ::external of attached nodes, one lane per attached node. If a
/// node has several attachments, the lane of its first entry adds all of them.
struct AttachNodes : EnvironmentKernel<AttachNodes> {
  const SoftRows* soft = nullptr;
  AttachmentTargets targets;

  template <class Memory>
  NODIA_HD void visit(int e, int k, Memory memory) const {
    const SoftRows& own = soft[e];
    const SoftAttachments& attachments = own.attachments;
    if (k >= attachments.n_attached_node || attachments.attached_node[k].is_first == 0) return;
    const std::int32_t node = attachments.attached_node[k].node;
    const auto x = memory.template load_unpadded_node<double>(own.x, node);
    double diagonal = 0;
    Vec3d external{};
    for (std::int32_t h = k; h >= 0; h = attachments.attached_node[h].next) {
      const std::int32_t a = attachments.attached_node[h].attachment;
      if (targets.is_attached[attachments.first + a] == 0) continue;
      const double stiffness = attachments.stiffness_N_m[a];
      diagonal += own.step.theta_t() * stiffness;
      external += attachment_force(
          stiffness, targets.frame[attachments.first + a].to_world(attachments.place[h]), x);
    }
    memory.write(&own.load[node].diagonal, diagonal);
    memory.write(&own.load[node].external, external);
  }
};

}  // namespace nodia
