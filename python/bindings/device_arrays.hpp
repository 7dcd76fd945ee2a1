/// Arrays for whoever takes them by __dlpack__ where they lie, in a device's memory or in the
/// host's.
#pragma once

#include <nanobind/nanobind.h>

#include "python/bindings/live_simulation.hpp"

namespace nodia::python {

/// Adds nodes_on_device and velocities_on_device.
void bind_device_arrays(nanobind::class_<LiveSimulation>& simulation);

}  // namespace nodia::python
