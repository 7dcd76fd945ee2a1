#include "scenarios/task/action_log.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "scenarios/format/table.hpp"

namespace nodia {
namespace {

constexpr const char* kTime = "time_s";
constexpr double kLateness = 0.01;  // in control steps; the times of a log are rounded

/// Column numbers of `names` in the table.
/// @throws InputError unless the table has exactly these columns
std::vector<std::size_t> places_of(const std::vector<std::string>& names, const NamedTable& log,
                                   const std::string& path) {
  const auto refuse = [&](const std::string& message) {
    throw InputError(fmt::format("{}:{}: {}", path, log.line, message));
  };
  std::vector<std::size_t> places;
  for (std::size_t k = 0; k < log.columns.size(); ++k) {
    const std::string& column = log.columns[k];
    if (std::count(names.begin(), names.end(), column) == 0)
      refuse(fmt::format("column {} (must be one of {}; did you mean {}?)", column,
                         fmt::join(names, ", "), nearest_name(column, names)));
    if (std::count(log.columns.begin(), log.columns.end(), column) > 1)
      refuse(fmt::format("column {} (must be there once)", column));
  }
  for (const std::string& name : names) {
    const auto found = std::find(log.columns.begin(), log.columns.end(), name);
    if (found == log.columns.end())
      refuse(fmt::format("column {} is missing (must have {})", name, fmt::join(names, ", ")));
    places.push_back(static_cast<std::size_t>(found - log.columns.begin()));
  }
  return places;
}

}  // namespace

std::vector<double> read_action_log(const std::string& path,
                                    const std::vector<ActionComponent>& components,
                                    double control_hz, int n_action) {
  const NamedTable log = read_named_table(path);
  std::vector<std::string> names{kTime};
  for (const ActionComponent& c : components) names.push_back(c.name);
  const std::vector<std::size_t> places = places_of(names, log, path);
  const auto time = [&](std::size_t row) { return log.table.row(row)[places.front()]; };
  const auto has_begun = [&](std::size_t row, int k) {
    return time(row) * control_hz <= k + kLateness;
  };
  const auto refuse = [&](std::size_t row, const std::string& rule) {
    throw InputError(
        fmt::format("{}:{}: {} = {:g} (must be {})", path, log.lines[row], kTime, time(row), rule));
  };
  if (!has_begun(0, 0)) refuse(0, "at most 0 in the first row, where the episode begins");
  for (std::size_t row = 1; row < log.table.n_row(); ++row)
    if (!(time(row) > time(row - 1)))
      refuse(row, fmt::format("> {:g}, the time of the row before", time(row - 1)));

  std::vector<double> actions;
  std::size_t row = 0;
  for (int k = 0; k < n_action; ++k) {
    while (row + 1 < log.table.n_row() && has_begun(row + 1, k)) ++row;
    for (std::size_t c = 1; c < places.size(); ++c)
      actions.push_back(log.table.row(row)[places[c]]);
  }
  return actions;
}

}  // namespace nodia
