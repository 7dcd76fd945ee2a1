/// Episodes of scenarios that environments start from.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/build/scenario.hpp"

namespace nodia::python {

using Episodes = std::vector<std::shared_ptr<const Scenario>>;

/// Those of one simulation. @throws InputError where there are none, or their solvers differ
void require_one_solver(const Episodes& episodes);
bool has_equal_solver(const Scenario& a, const Scenario& b);

/// What they all are to do.
/// @throws InputError where one has no task, or they differ
const TaskDescription& require_one_task(const Episodes& episodes);

/// Text of everything in a task that control steps depend on, without the delay of one episode.
std::string text_of_steps(TaskDescription task);

}  // namespace nodia::python
