/// Libraries that may crash on damaged input, tried out first.
#pragma once

#include <functional>

namespace nodia {

/// Runs `action` in a child process: true unless it died of a signal or took more than a minute of
/// CPU time. Exceptions count as survived; what the child computed is lost.
bool survives_in_child(const std::function<void()>& action);

}  // namespace nodia
