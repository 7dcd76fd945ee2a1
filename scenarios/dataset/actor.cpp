#include "scenarios/dataset/actor.hpp"

#include <fmt/format.h>

#include <utility>

#include "kernels/core/error.hpp"
#include "scenarios/task/action_log.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

class Script : public Actor {
 public:
  std::vector<double> action(const TaskEnvironments& environments, int env) override {
    return environments.script_action(env);
  }
};

class Log : public Actor {
 public:
  explicit Log(std::string path) : path_(std::move(path)) {}

  std::vector<double> action(const TaskEnvironments& environments, int) override {
    if (actions_.empty())
      actions_ = read_action_log(path_, environments.action_space(), environments.task().control_hz,
                                 environments.actions_per_episode());
    const auto size = static_cast<std::ptrdiff_t>(environments.action_space().size());
    const auto first = actions_.begin() + size * row_++;
    return {first, first + size};
  }

 private:
  std::string path_;
  std::vector<double> actions_;
  std::ptrdiff_t row_ = 0;
};

}  // namespace

ActorMaker script_actor() {
  return [](const Scenario&) { return std::make_unique<Script>(); };
}

ActorMaker actor_of(const TaskDescription& task) {
  const Policy policy = parse_policy(task.policy);
  if (policy.kind == PolicyKind::script) return script_actor();
  if (policy.kind == PolicyKind::log)
    return [file = policy.file](const Scenario&) { return std::make_unique<Log>(file); };
  throw InputError(
      fmt::format("task.policy = {} (must be script or the file of a log here: a "
                  "class acts from Python)",
                  task.policy));
}

}  // namespace nodia
