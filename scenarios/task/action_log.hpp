/// Action logs: files with the actions of an episode and their times.
#pragma once

#include <string>
#include <vector>

#include "scenarios/task/action_map.hpp"

namespace nodia {

/// Reads the actions of an episode from a table. The first line names the columns: `time_s` and
/// every component of the action, in any order. The rows follow in ascending time since the start
/// of the episode [s]. See read_table() for blanks, commas and comments.
///
/// The action of control step k is the last row with a time of at most (k + 0.01)/control_hz; the
/// hundredth of a control step allows for rounded times. After the last row its action continues.
/// Values may exceed the bounds of their component.
///
/// @param components  components of the action space, with different names
/// @return [n_action x components.size()], one row per control step
/// @throws InputError `file:line: ...` for a missing, unknown or repeated column, a value that is
/// not
///         a finite number, times that do not ascend, or a first row after the start of the episode
std::vector<double> read_action_log(const std::string& path,
                                    const std::vector<ActionComponent>& components,
                                    double control_hz, int n_action);

}  // namespace nodia
