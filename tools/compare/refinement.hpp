/// Refines the mesh of a scene, for `nodia scale` and `nodia bench`.
#pragma once

#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia::studies {

/// Node counts to which the first soft body of a scene can be refined. A sheet that mesh_mat() can
/// generate, including its node sets, gets a new mesh with approximately the requested nodes. Any
/// other body is subdivided uniformly: each count is replaced by the nearest possible one, without
/// repetition.
/// @param nodes  requested counts
/// @return       ascending
/// @throws InputError if the scene has no soft body, or a count is below 50
std::vector<int> refinement_sizes(const Scene& scene, std::vector<int> nodes);

/// Copy of the scene whose first soft body is refined.
/// @param n_node  one of refinement_sizes()
Scene refined(const Scene& scene, int n_node);

/// Starts every environment at a time of its scenario, in its initial state.
void begin_at(double time_s, Simulation* simulation);

/// Starts every environment at a time, after moving it rigidly with the frame of its first
/// attachment. A dragged body then slides from the first step on, independently of its mesh.
void begin_dragged_at(double time_s, Simulation* simulation);

}  // namespace nodia::studies
