/// Actions from a file, or from anybody who keeps their times.
#pragma once

#include <string>
#include <vector>

#include "scenarios/task/action_map.hpp"

namespace nodia {

/// Reads the actions of an episode from a table: a line with the names of its columns, `time_s` and
/// every component of the action, in any order; then rows at ascending times [s] since the episode
/// began. Blanks, commas and comments as read_table().
///
/// The action of control step k is the last row at or before k/control_hz, where a row counts that
/// comes up to a hundredth of a control step later (times are rounded); behind the last row it
/// stays. Values may be beyond the components' bounds.
///
/// @param components  of the action space; their names differ
/// @return [n_action x components.size()], a control step a row
/// @throws InputError `file:line: ...`: a column that is missing, unknown or there twice, a value
/// that is no finite number, times that do not ascend, a first row after the episode's beginning
std::vector<double> read_action_log(const std::string& path,
                                    const std::vector<ActionComponent>& components,
                                    double control_hz, int n_action);

}  // namespace nodia
