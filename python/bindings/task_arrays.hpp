/// What Python is told of environments of a task: their spaces, and what is observed.
#pragma once

#include <nanobind/nanobind.h>

#include "scenarios/task/task_environments.hpp"

namespace nodia::python {

/// Of each component: name, unit, bounds.
nanobind::list action_space(const TaskEnvironments& environments);

/// Of each observation: name, shape, unit, bounds of the last axis or of all.
nanobind::list observation_space(const TaskEnvironments& environments);

/// By the names of the observations, [n_env x its size] each. @param noisy  with their noise
nanobind::dict observations(const TaskEnvironments& environments, bool noisy);

}  // namespace nodia::python
