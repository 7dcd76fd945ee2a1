/// Nodes that frames along paths hold, for a solver that adds what they exert where it runs.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/elements/hold.hpp"

namespace nodia {

/// Of an environment: what never changes.
struct AttachmentHolds {
  std::vector<Hold> hold;           ///< attachment by attachment
  std::vector<std::int32_t> begin;  ///< [n_attachment + 1] of `hold`
  std::vector<double> stiffness_N_m;

  int n_attachment() const { return static_cast<int>(stiffness_N_m.size()); }
};

/// The same in a step.
struct HoldStep {
  std::shared_ptr<const AttachmentHolds> holds;     ///< null: there are none
  std::shared_ptr<const std::vector<Vec3d>> place;  ///< per hold: of the node in its frame [m]
  // Per attachment.
  std::vector<std::uint8_t> is_holding;  ///< 1: along a path, in the step
  /// Frames of those: theta t after its start, at its start and at its end; of others anything.
  std::vector<Pose> target, begin, end;
};

}  // namespace nodia
