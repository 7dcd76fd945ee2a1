#include "scenarios/task/task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/scene/rules.hpp"
#include "kernels/core/value_error.hpp"
#include "scenarios/task/action_map.hpp"
#include "scenarios/task/observables.hpp"
#include "scenarios/task/steps_in.hpp"

namespace nodia {
namespace {

int steps_up(double time_s, double step_s) {
  return static_cast<int>(steps_in(time_s, step_s));
}

}  // namespace

int steps_per_action(const TaskDescription& task, const Scene& scene) {
  const double step_s = scene.time.step_s, steps = 1 / (task.control_hz * step_s);
  const double whole = std::round(steps);
  constexpr double kRounding = 1e-5;  // the message below prints rates with six digits
  if (whole >= 1 && whole <= 1e9 && std::fabs(steps - whole) <= kRounding * whole)
    return static_cast<int>(whole);
  const auto rate = [&](double n) { return fmt::format("{:.6g}", 1 / (step_s * n)); };
  const double below = std::floor(steps);
  throw ValueError("task.control_hz", fmt::format("{:g}", task.control_hz),
                   fmt::format("1/(time.step_s = {:g} times a whole number)", step_s),
                   below < 1 ? fmt::format("at most {}", rate(1))
                             : fmt::format("nearest: {} or {}", rate(below), rate(below + 1)));
}

int actions_per_episode(const TaskDescription& task, const Scene& scene) {
  return std::max(
      1, steps_up(scene.time.duration_s, scene.time.step_s * steps_per_action(task, scene)));
}

int success_steps(const TaskDescription& task, const PredicateKind& kind, const Scene& scene) {
  const double for_s = task.success->for_s;
  if (compares_a_moment(kind)) return std::max(1, steps_up(for_s, scene.time.step_s));
  const int period = steps_per_action(task, scene);
  return period * std::max(1, steps_up(for_s, period * scene.time.step_s));
}

int success_steps(const TaskDescription& task, const Scene& scene) {
  int most = success_steps(task, task.success->kind, scene);
  for (const SuccessCondition& also : task.success_also)
    most = std::max(most, success_steps(task, also.kind, scene));
  return most;
}

void validate(const TaskDescription& task, const Scene& scene) {
  steps_per_action(task, scene);
  [[maybe_unused]] const ActionMap throws_what_is_wrong(task, scene);
  if (task.observe.empty())
    throw ValueError("task.observe", "task.observe (must have a name at least; try time)");
  observables(scene, task.observe, "task.observe");
  for (const NamedNumber& noise : task.noise.value_or(std::vector<NamedNumber>{})) {
    const std::string where = "task.noise." + noise.name;
    require_known(where, noise.name, task.observe, "something that task.observe names");
    if (!(noise.value >= 0))
      throw ValueError(where, fmt::format("{:g}", noise.value), ">= 0", "in its unit");
  }
  const auto hold = [&](const PredicateKind& kind, const std::string& path) {
    validate(kind, path, scene, success_steps(task, kind, scene) * scene.time.step_s);
  };
  if (task.success) hold(task.success->kind, "task.success");
  for (const SuccessCondition& also : task.success_also) {
    if (!task.success)
      throw ValueError("task.success_also",
                       "task.success_also (must be left out; there is no success)");
    hold(also.kind, "task.success_also." + also.name);
  }
  validate(task.record, "task.record");
  if (task.reward == Reward::shortfall && !(task.success && compares_a_moment(task.success->kind)))
    throw ValueError("task.reward", "shortfall",
                     "success, where task.success compares no moment as node_position does", "");
}

}  // namespace nodia
