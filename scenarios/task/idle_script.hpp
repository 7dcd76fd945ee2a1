/// Finds scripts without a path to follow.
#pragma once

#include <optional>
#include <string>

#include "scenarios/task/task.hpp"

namespace nodia {

/// Explains why the script of a task does nothing: no drive or frame that its actions move has a
/// path, and no attachment has a release time. Absent if one has, or if the policy is not `script`.
/// @param task  task of the scene, validated
/// @return a sentence that begins with `task.policy`
std::optional<std::string> idle_script(const TaskDescription& task, const Scene& scene);

}  // namespace nodia
