/// Child processes that try library calls that may crash on damaged input.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nodia {

/// Result of `action` in a child process; none if the child died of a signal, used more than a
/// minute of CPU time or threw. Empty text if no process can be started.
std::optional<std::string> answer_of_child(const std::function<std::string()>& action);

/// Runs `action` in a child process: true unless it died of a signal or used more than a minute of
/// CPU time. Exceptions count as survival; results of the child are discarded.
bool survives_in_child(const std::function<void()>& action);

}  // namespace nodia
