/// Options of position-based dynamics (host/simulation/position_based), which advances whole
/// scenes.
#pragma once

#include "kernels/core/key.hpp"

namespace nodia {

inline constexpr const char* kPositionBasedName = "xpbd";

struct PositionBasedOptions {
  int substeps = 100;  ///< of a step
  int iterations = 1;  ///< sweeps through all constraints in a substep
};
void visit_keys(KeyVisitor& v, PositionBasedOptions& o);

}  // namespace nodia
