/// How much memory a simulation will take, before it is built.
#pragma once

#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Of one environment, the default solver's share included; some tens of percent right, and too
/// small for solvers that factorise or build the Delassus operator [byte].
double estimated_bytes(const Scene& scene);

/// Of a frame of its trajectory, which stays in memory until its part is closed [byte].
double estimated_frame_bytes(const Scene& scene);

/// Of the program alone [byte].
inline constexpr double kProgramBytes = 24e6;

}  // namespace nodia
