/// Data for pictures of a simulation.
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "host/simulation/simulation.hpp"

namespace nodia::python {

/// State of an environment as a frame of a trajectory (host/io/trajectory.hpp).
/// @param step  step that ended in this state; without a step, the frame has no contacts
nanobind::dict frame_of(const Simulation& simulation, int env, const std::optional<StepView>& step);

/// Data that are the same in all frames: tetrahedra, lines, and descriptions of poses and bodies.
nanobind::dict topology_of(const Scene& scene);

}  // namespace nodia::python
