/// Spaces and observations of the environments of a task, as Python objects.
#pragma once

#include <nanobind/nanobind.h>

#include "scenarios/task/task_environments.hpp"

namespace nodia::python {

/// Name, unit, lower and upper bound of each component.
nanobind::list action_space(const TaskEnvironments& environments);

/// Name, shape, unit, lower and upper bounds of each observation. Bounds have one value, or one for
/// each index of the last axis.
nanobind::list observation_space(const TaskEnvironments& environments);

/// Observations by name, each [n_env x size of the observation].
/// @param noisy  true: with the noise of the task; false: the true values
nanobind::dict observations(const TaskEnvironments& environments, bool noisy);

}  // namespace nodia::python
