/// How deep a soft body is in an obstacle at the end of a step: what a launch of
/// kernels/step/depths.hpp finds.
#pragma once

namespace nodia {

/// Of a body's nodes; 0 where there are none such.
struct SoftDepth {
  double depth_m = 0;   ///< of the deepest inside the obstacle [m]
  double missed_m = 0;  ///< of the deepest that came through its surface without a contact [m]
};

}  // namespace nodia
