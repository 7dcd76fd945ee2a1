/// Libraries that may crash on damaged input, tried out first.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace nodia {

/// What `action` returns, from a child process; none where that died of a signal, took more than a
/// minute of CPU time or threw. Where no process is to be had: the empty text, nothing is known.
std::optional<std::string> answer_of_child(const std::function<std::string()>& action);

/// Runs `action` in a child process: true unless it died of a signal or took more than a minute of
/// CPU time. Exceptions count as survived; what the child computed is lost.
bool survives_in_child(const std::function<void()>& action);

}  // namespace nodia
