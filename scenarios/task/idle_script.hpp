/// Scripts that have no path to follow.
#pragma once

#include <optional>
#include <string>

#include "scenarios/task/task.hpp"

namespace nodia {

/// Why every action of the task's policy is idle, a sentence that begins with `task.policy`: it is
/// the script, and nothing that an action moves has a path or lets go at a time. Nothing where
/// something has, and of other policies.
/// @param task  of the scene, validated
std::optional<std::string> idle_script(const TaskDescription& task, const Scene& scene);

}  // namespace nodia
