/// What pictures of a simulation are made of.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "host/simulation/simulation.hpp"

namespace nodia::python {

/// An environment's state as a frame of a trajectory (host/io/trajectory.hpp).
/// @param step  that ended in it; without one there are no contacts
nanobind::dict frame_of(const Simulation& simulation, int env, const std::optional<StepView>& step);

/// What stays of such frames.
nanobind::dict topology_of(const Scene& scene);

}  // namespace nodia::python
