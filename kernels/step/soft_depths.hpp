/// Penetration of a soft body into an obstacle at the end of a step, found by
/// kernels/step/depths.hpp.
#pragma once

namespace nodia {

/// Maxima over a body's nodes; 0 without such nodes.
struct SoftDepth {
  double depth_m = 0;   ///< largest depth inside the obstacle [m]
  double missed_m = 0;  ///< largest depth after tunnelling without a contact [m]
};

}  // namespace nodia
