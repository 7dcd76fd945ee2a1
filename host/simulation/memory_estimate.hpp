/// Estimates the memory of a simulation before it is built.
#pragma once

#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Memory of one environment including the default solver, accurate to some tens of percent. Too
/// small for solvers that factorise or build the Delassus operator [byte].
double estimated_bytes(const Scene& scene);

/// Memory of one frame of the trajectory, which stays in memory until its part is closed [byte].
double estimated_frame_bytes(const Scene& scene);

/// Memory of the program without environments [byte].
inline constexpr double kProgramBytes = 24e6;

}  // namespace nodia
