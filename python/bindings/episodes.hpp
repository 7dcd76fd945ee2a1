/// Episodes of scenarios, from which environments start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "scenarios/build/scenario.hpp"

namespace nodia::python {

using Episodes = std::vector<std::shared_ptr<const Scenario>>;

/// @throws InputError if there are no episodes, or their solver settings differ
void require_one_solver(const Episodes& episodes);
/// True if the solver settings of two episodes are equal.
bool has_equal_solver(const Scenario& a, const Scenario& b);

/// Common task of the episodes.
/// @throws InputError if an episode has no task, or the tasks differ
const TaskDescription& require_one_task(const Episodes& episodes);

/// Text of everything in a task on which control steps depend, except the delay of one episode.
std::string text_of_steps(TaskDescription task);

}  // namespace nodia::python
