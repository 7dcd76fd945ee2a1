#include "python/bindings/episodes.hpp"

#include <fmt/format.h>

#include <string>

#include "kernels/core/error.hpp"
#include "scenarios/build/options.hpp"
#include "scenarios/build/solver_settings.hpp"
#include "scenarios/format/writer.hpp"
#include "scenarios/format/yaml_tree.hpp"

namespace nodia::python {
namespace {

template <class Group>
std::string written(Group group) {
  return write_yaml(Writer::written(group));
}

/// Text of a task without the delay, in which episodes of the same task may differ.
std::string shared_part(TaskDescription task) {
  task.delay_steps.reset();
  return written(std::move(task));
}

const TaskDescription& task_of(const Scenario& scenario) {
  if (!scenario.task)
    throw InputError(
        fmt::format("task (must be given; the scenario {} has no task)", scenario.scene.name));
  return *scenario.task;
}

}  // namespace

bool has_equal_solver(const Scenario& a, const Scenario& b) {
  return have_equal_settings(a.solver, b.solver);
}

void require_one_solver(const Episodes& episodes) {
  if (episodes.empty())
    throw InputError("episodes = [] (must be at least one; a scenario has one)");
  for (std::size_t e = 1; e < episodes.size(); ++e)
    if (!has_equal_solver(*episodes[e], *episodes.front()))
      throw InputError(fmt::format(
          "episodes[{}]: solver (must be the same in every environment of a simulation; "
          "that of environment 0 differs)",
          e));
}

const TaskDescription& require_one_task(const Episodes& episodes) {
  const TaskDescription& task = task_of(*episodes.front());
  const std::string first = shared_part(task);
  for (std::size_t e = 1; e < episodes.size(); ++e)
    if (shared_part(task_of(*episodes[e])) != first)
      throw InputError(fmt::format(
          "episodes[{}]: task (must be the same in every environment; that of environment 0 "
          "differs)",
          e));
  return task;
}

std::string text_of_steps(TaskDescription task) {
  task.text.clear();
  task.policy.clear();
  task.record = {};
  return shared_part(std::move(task));
}

}  // namespace nodia::python
