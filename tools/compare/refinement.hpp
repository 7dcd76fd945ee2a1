/// A scene with a finer mesh: what `nodia scale` and `nodia bench` measure.
#pragma once

#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia::studies {

/// Node counts to which the first soft body of a scene is refined. A sheet that mesh_mat() can
/// make, node sets included, is meshed anew with about the nodes asked for; any other body is
/// subdivided uniformly, so that each count is replaced by the nearest one, and each occurs once.
/// @param nodes  counts asked for
/// @return       ascending
/// @throws InputError if the scene has no soft body, or a count is below 50
std::vector<int> refinement_sizes(const Scene& scene, std::vector<int> nodes);

/// The scene with its first soft body refined.
/// @param n_node  one of refinement_sizes()
Scene refined(const Scene& scene, int n_node);

/// Every environment begins at that time of its scenario, in its initial state.
void begin_at(double time_s, Simulation* simulation);

/// Every environment begins at that time, moved as one with the frame of its first attachment: a
/// dragged body slides from the first step on, whatever its mesh.
void begin_dragged_at(double time_s, Simulation* simulation);

}  // namespace nodia::studies
