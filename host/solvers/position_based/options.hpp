/// Options of position-based dynamics (host/simulation/position_based), which steps whole scenes.
#pragma once

#include "kernels/core/key.hpp"

namespace nodia {

inline constexpr const char* kPositionBasedName = "xpbd";

struct PositionBasedOptions {
  int substeps = 100;  ///< per step
  int iterations = 1;  ///< sweeps over all constraints per substep
};
void visit_keys(KeyVisitor& v, PositionBasedOptions& o);

}  // namespace nodia
