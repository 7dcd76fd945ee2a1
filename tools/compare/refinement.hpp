/// The mat in other sizes: what `nodia scale` and `nodia bench` measure.
#pragma once

#include <vector>

#include "host/simulation/simulation.hpp"

namespace nodia::studies {

/// Throws InputError unless the scene has a soft body and `nodes` are sizes it can be meshed in.
void require_refinable(const Scene& scene, const std::vector<int>& nodes);

/// The scene with its first soft body replaced by mesh_mat of the same extent and about `n_node`
/// nodes.
Scene refined(const Scene& scene, int n_node);

/// Every environment begins at that time of its scenario, in its initial state.
void begin_at(double time_s, Simulation* simulation);

/// Every environment begins at that time, moved as one with the frame of its first attachment: a
/// dragged body slides from the first step on, whatever its mesh.
void begin_dragged_at(double time_s, Simulation* simulation);

}  // namespace nodia::studies
