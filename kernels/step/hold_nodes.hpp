/// Adds the contributions of attachments to the rows of their nodes.
#pragma once

#include "kernels/launch/element_kernel.hpp"
#include "kernels/step/soft_rows.hpp"

namespace nodia {

/// Targets of the attachments of all environments in one step, environment by environment.
struct HoldTargets {
  const std::uint8_t* is_holding = nullptr;  ///< 1 if the attachment is active in the step
  HoldFrames frame;                          ///< of active attachments, theta t after the start

  bool operator==(const HoldTargets&) const = default;
};

/// Writes SoftLoad::diagonal and ::external of attached nodes, one lane per attached node. If a
/// node has several attachments, the lane of its first entry adds all of them.
struct HoldNodes : EnvironmentKernel<HoldNodes> {
  const SoftRows* soft = nullptr;
  HoldTargets targets;

  template <class Memory>
  NODIA_HD void visit(int e, int k, Memory memory) const {
    const SoftRows& own = soft[e];
    const SoftHolds& holds = own.holds;
    if (k >= holds.n_hold || holds.hold[k].is_first == 0) return;
    const std::int32_t node = holds.hold[k].node;
    const auto x = memory.template load_unpadded_node<double>(own.x, node);
    double diagonal = 0;
    Vec3d external{};
    for (std::int32_t h = k; h >= 0; h = holds.hold[h].next) {
      const std::int32_t a = holds.hold[h].attachment;
      if (targets.is_holding[holds.first + a] == 0) continue;
      const double stiffness = holds.stiffness_N_m[a];
      diagonal += own.step.theta_t() * stiffness;
      external += hold_force(stiffness, targets.frame[holds.first + a].to_world(holds.place[h]), x);
    }
    memory.write(&own.load[node].diagonal, diagonal);
    memory.write(&own.load[node].external, external);
  }
};

}  // namespace nodia
