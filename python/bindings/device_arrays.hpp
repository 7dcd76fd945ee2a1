/// Arrays in device or host memory for libraries that import them through __dlpack__.
#pragma once

#include <nanobind/nanobind.h>

#include "python/bindings/live_simulation.hpp"

namespace nodia::python {

/// Adds the methods nodes_on_device and velocities_on_device.
void bind_device_arrays(nanobind::class_<LiveSimulation>& simulation);

}  // namespace nodia::python
