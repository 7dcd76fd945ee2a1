/// Functions that add the parts of the module nodia._core, one file each. The docstrings of
/// python/nodia give the shapes and units of the results.
#pragma once

#include <nanobind/nanobind.h>

namespace nodia::python {

class LiveSimulation;

void bind_errors(nanobind::module_& m);
void bind_backend(nanobind::module_& m);
void bind_scenario(nanobind::module_& m);
nanobind::class_<LiveSimulation> bind_simulation(nanobind::module_& m);
void bind_commands(nanobind::module_& m, nanobind::class_<LiveSimulation>& simulation);
void bind_task(nanobind::module_& m);
void bind_dataset(nanobind::module_& m);
void bind_drawing(nanobind::module_& m);

}  // namespace nodia::python
