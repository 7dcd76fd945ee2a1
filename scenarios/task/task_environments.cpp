#include "scenarios/task/task_environments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

const Scene& first_of(const std::vector<Scene>& scenes) {
  if (scenes.empty()) throw InputError("task: no scene (at least one environment is needed)");
  return scenes.front();
}

/// Sets all targets to NaN, such that the environment fails in its next step.
void spoil(ActionTargets* targets) {
  std::fill(targets->joints.begin(), targets->joints.end(), kNaN);
  for (Pose& frame : targets->frames) frame.position = {kNaN, kNaN, kNaN};
}

}  // namespace

TaskEnvironments::TaskEnvironments(std::vector<Scene> scenes, const SolverOptions& solver,
                                   TaskDescription task, std::vector<EpisodeDraw> draws,
                                   FirstEpisode first)
    : task_(std::move(task)),
      solver_(solver),
      simulation_(scenes, solver),
      action_space_(ActionMap(task_, first_of(scenes)).components()),
      observed_(observables(scenes.front(), task_.observe, "task.observe")),
      period_(nodia::steps_per_action(task_, scenes.front())),
      n_action_(nodia::actions_per_episode(task_, scenes.front())) {
  std::vector<int> all;
  for (std::size_t e = 0; e < scenes.size(); ++e) {
    episodes_.emplace_back(observed_);
    all.push_back(static_cast<int>(e));
  }
  for (const Observable& o : observed_)
    observation_.emplace_back(scenes.size() * static_cast<std::size_t>(o.size()));
  if (task_.noise) true_observation_ = observation_;
  if (first == FirstEpisode::by_reset)
    require_fitting(all, scenes);
  else
    start(all, std::move(scenes), std::move(draws), true);
}

Settled TaskEnvironments::reset(int env, Scene scene, const EpisodeDraw& draw) {
  std::vector<Scene> scenes;
  scenes.push_back(std::move(scene));
  return std::move(reset(std::vector<int>{env}, std::move(scenes), {draw}).front());
}

std::vector<Settled> TaskEnvironments::reset(const std::vector<int>& envs,
                                             std::vector<Scene> scenes,
                                             std::vector<EpisodeDraw> draws) {
  if (envs.size() != scenes.size())
    throw InputError(fmt::format("reset: {} scenes (must be one for each of {} environments)",
                                 scenes.size(), envs.size()));
  for (const int env : envs)
    if (env < 0 || env >= n_env() || std::count(envs.begin(), envs.end(), env) > 1)
      throw_bad_value("reset: environment", env, fmt::format("in [0, {}], each once", n_env() - 1),
                      "");
  return start(envs, std::move(scenes), std::move(draws), false);
}

void TaskEnvironments::require_fitting(const std::vector<int>& envs,
                                       const std::vector<Scene>& scenes) const {
  for (std::size_t k = 0; k < envs.size(); ++k) {
    validate(task_, scenes[k]);
    require_equal_spaces(envs[k], scenes[k]);
    if (task_.success && success_steps(task_, scenes[k]) > n_action_ * period_)
      throw_bad_value("task.success.for_s", task_.success->for_s,
                      fmt::format("at most the episode's {:g} s", scenes[k].time.duration_s), "");
  }
}

std::vector<Settled> TaskEnvironments::start(const std::vector<int>& envs,
                                             std::vector<Scene> scenes,
                                             std::vector<EpisodeDraw> draws, bool fresh) {
  if (draws.empty()) draws.resize(envs.size());
  if (draws.size() != envs.size())
    throw InputError(fmt::format("{} draws (must be one for each of {} environments, or none)",
                                 draws.size(), envs.size()));
  for (const EpisodeDraw& draw : draws)
    if (draw.delay_steps.value_or(0) < 0)
      throw_bad_value("delay_steps", *draw.delay_steps, ">= 0", "whole control steps");
  require_fitting(envs, scenes);
  for (const EpisodeDraw& draw : draws)
    if (delay_of(draw) >= n_action_)
      throw_bad_value("task.delay_steps", std::to_string(delay_of(draw)),
                      fmt::format("less than the episode's {} control steps", n_action_),
                      "no action would take effect");
  for (std::size_t k = 0; k < envs.size(); ++k)
    episode(envs[k]).observer = Observer(observables(scenes[k], task_.observe, "task.observe"));
  std::vector<Settled> settled(envs.size());
  for (Settled& none : settled) none.at_rest = true;
  if (task_.settle && !envs.empty())
    settled = settle(scenes, solver_, *task_.settle, period_, [&](int k, const StepView& view) {
      ++n_settle_step_;
      if (view.record.solve.status != SolveStatus::not_a_number)
        episode(envs[static_cast<std::size_t>(k)]).observer.see(view);
    });
  for (std::size_t k = 0; k < envs.size(); ++k) {
    if (!fresh) simulation_.reset(envs[k], std::move(scenes[k]));
    if (task_.settle)
      simulation_.set_state(envs[k], settled[k].state);
    else
      settled[k].state = simulation_.state(envs[k]);
    begin(envs[k], settled[k], draws[k]);
  }
  return settled;
}

void TaskEnvironments::Episode::archive(Archive& a) {
  a("observer", observer);
  if (success) a("success", *success);
  a("targets", targets);
  a("action", action);
  std::vector<std::vector<double>> queue(waiting.begin(), waiting.end());
  a("waiting", queue);
  waiting.assign(queue.begin(), queue.end());
  a("delay", delay);
  a("report", report);
  a("fault", fault);
  a("fault_text", fault_text);
  a("n_action", n_action);
}

TaskCheckpoint TaskEnvironments::save(int env) {
  require_begun(env);
  TaskCheckpoint checkpoint{simulation_.save(env), {}};
  Archive a = Archive::writing(&checkpoint.episode);
  episode(env).archive(a);
  return checkpoint;
}

void TaskEnvironments::load(int env, const TaskCheckpoint& checkpoint) {
  require_begun(env);
  simulation_.load(env, checkpoint.simulation);
  Archive a = Archive::reading(checkpoint.episode);
  episode(env).archive(a);
  observe(env);
}

void TaskEnvironments::place(int env, Scene scene, const EpisodeDraw& draw) {
  require_fitting({env}, {scene});
  episode(env).observer = Observer(observables(scene, task_.observe, "task.observe"));
  simulation_.reset(env, std::move(scene));
  Settled start;
  start.state = simulation_.state(env);
  begin(env, start, draw);
}

void TaskEnvironments::require_equal_spaces(int env, const Scene& scene) const {
  const auto differs = [&](const std::string& what) {
    throw InputError(
        fmt::format("environment {}: {} (must be as in the others; what task.action "
                    "and task.observe name cannot differ)",
                    env, what));
  };
  const ActionMap map(task_, scene);
  const auto same = [](const ActionComponent& a, const ActionComponent& b) {
    return a.name == b.name && a.unit == b.unit && a.low == b.low && a.high == b.high;
  };
  const std::vector<ActionComponent>& own = map.components();
  for (std::size_t k = 0; k < std::max(own.size(), action_space().size()); ++k)
    if (k >= own.size() || k >= action_space().size() || !same(own[k], action_space()[k]))
      differs(fmt::format("component {} of its actions differs", k));
  const std::vector<Observable> observed = observables(scene, task_.observe, "task.observe");
  for (std::size_t k = 0; k < observed.size(); ++k)
    if (observed[k].shape != observed_[k].shape)
      differs(fmt::format("{} has {} numbers, not {}", observed[k].name, observed[k].size(),
                          observed_[k].size()));
  if (nodia::actions_per_episode(task_, scene) != n_action_)
    differs(fmt::format("its time.duration_s = {:g}", scene.time.duration_s));
}

int TaskEnvironments::delay_of(const EpisodeDraw& draw) const {
  return draw.delay_steps.value_or(task_.delay_steps.value_or(0));
}

/// Starts the episode of an environment whose simulation has the initial scene and state.
void TaskEnvironments::begin(int env, const Settled& settled, const EpisodeDraw& draw) {
  Episode& episode = this->episode(env);
  const Scene& scene = simulation_.scene(env);
  episode.settled = settled;
  episode.map.emplace(task_, scene);
  episode.success.reset();
  if (task_.success) episode.success.emplace(task_, scene);
  episode.targets = episode.map->at_start();
  episode.action.clear();
  episode.waiting.clear();
  episode.delay = delay_of(draw);
  episode.noise.reset();
  if (task_.noise) episode.noise.emplace(task_, observed_, draw.drawn_by);
  episode.report = {};
  episode.n_action = 0;
  episode.fault = TaskFault::none;
  episode.fault_text.clear();
  if (settled.status == SolveStatus::not_a_number) {
    episode.fault = TaskFault::bad_start;
    episode.fault_text = "settling failed: " + settled.cause;
  }
  observe(env);
}

void TaskEnvironments::require_begun(int env) const {
  if (!episode(env).map)
    throw InputError(fmt::format("environment {}: reset (must begin its first episode)", env));
}

std::vector<double> TaskEnvironments::script_action(int env) const {
  require_begun(env);
  const Episode& episode = this->episode(env);
  const ActionMap& map = *episode.map;
  const double period_s = period_ * simulation_.scene(env).time.step_s;
  double end_s = simulation_.time_s(env) + period_s;
  ActionTargets now = episode.targets;
  const auto n_wait = static_cast<std::size_t>(episode.delay);
  for (std::size_t k = 0; k < n_wait; ++k, end_s += period_s) {
    // Actions that take effect before this one. In the first control steps of a delay there are
    // none.
    const std::size_t none = n_wait - episode.waiting.size();
    now = applied(map, k < none ? nullptr : &episode.waiting[k - none], now, end_s).targets;
  }
  return map.action_to(map.of_paths(end_s), now);
}

AppliedAction TaskEnvironments::applied(const ActionMap& map, const std::vector<double>* action,
                                        const ActionTargets& now, double end_s) const {
  const std::vector<double> stay = action ? *action : map.action_to(now, now);
  AppliedAction became = map.apply(stay.data(), now, map.of_paths(end_s));
  if (!action) became.clipped.clear();
  return became;
}

void TaskEnvironments::command(int env, const double* action) {
  Episode& episode = this->episode(env);
  const ActionMap& map = *episode.map;
  const Scene& scene = simulation_.scene(env);
  const double period_s = period_ * scene.time.step_s;
  episode.action.assign(action, action + map.size());
  episode.report = {};
  for (int k = 0; k < map.size() && episode.fault == TaskFault::none; ++k) {
    if (std::isfinite(action[k])) continue;
    episode.fault = TaskFault::bad_action;
    episode.fault_text = fmt::format("component {} of the action ({}) is {}", k,
                                     action_space_[static_cast<std::size_t>(k)].name, action[k]);
  }
  const ActionTargets now = episode.targets;
  ActionTargets& targets = episode.targets;
  const double end_s = simulation_.time_s(env) + period_s;
  if (episode.fault == TaskFault::none) {
    episode.waiting.push_back(episode.action);
    const bool due = episode.waiting.size() > static_cast<std::size_t>(episode.delay);
    AppliedAction became = applied(map, due ? &episode.waiting.front() : nullptr, now, end_s);
    if (due) episode.waiting.pop_front();
    targets = std::move(became.targets);
    episode.report.clipped = std::move(became.clipped);
  } else {
    targets = map.of_paths(end_s);
    spoil(&targets);
  }
  if (map.robot() >= 0) {
    const std::string& robot = scene.robots[static_cast<std::size_t>(map.robot())].name;
    if (map.moves_joints()) simulation_.set_joint_targets(env, robot, targets.joints, period_s);
    for (std::size_t f = 0; f < targets.frames.size(); ++f)
      simulation_.set_pose_target(env, robot, map.pose_drives()[f], targets.frames[f], period_s);
  } else {
    for (std::size_t f = 0; f < targets.frames.size(); ++f)
      simulation_.set_frame_target(env, map.frames()[f], targets.frames[f], period_s);
  }
  // Overrides the release times of the scene.
  for (std::size_t h = 0; h < targets.holding.size(); ++h)
    simulation_.set_holding(env, map.attachments()[h], targets.holding[h] != 0);
}

void TaskEnvironments::step(const std::vector<double>& actions,
                            const std::function<void(const StepView&)>& each) {
  const auto n_component = action_space_.size();
  if (actions.size() != episodes_.size() * n_component)
    throw InputError(
        fmt::format("actions: {} numbers (must be {}: {} environments, {} components each)",
                    actions.size(), episodes_.size() * n_component, episodes_.size(), n_component));
  for (int env = 0; env < n_env(); ++env) require_begun(env);
  std::vector<char> ended(episodes_.size());
  for (std::size_t e = 0; e < episodes_.size(); ++e) {
    ended[e] = episodes_[e].report.ended() ? 1 : 0;
    if (!ended[e]) command(static_cast<int>(e), actions.data() + e * n_component);
  }
  simulation_.steps(period_, ended, [&](const StepView& view) {
    if (ended[static_cast<std::size_t>(view.record.env)]) return;
    watch(view);
    if (each) each(view);
  });
  for (std::size_t e = 0; e < episodes_.size(); ++e)
    if (!ended[e]) conclude(static_cast<int>(e));
}

void TaskEnvironments::watch(const StepView& view) {
  Episode& episode = this->episode(view.record.env);
  TaskReport& report = episode.report;
  const SolveReport& solve = view.record.solve;
  if (badness(solve.status) > badness(report.status)) {
    report.status = solve.status;
    report.cause = solve.reason;
    report.step = view.record.step;
  } else if (report.status == SolveStatus::converged) {
    report.step = view.record.step;
  }
  if (solve.status == SolveStatus::not_a_number) return;
  episode.observer.see(view);
  if (episode.success) episode.success->observe(view);
}

void TaskEnvironments::observe(int env) {
  Episode& episode = this->episode(env);
  for (std::size_t k = 0; k < observed_.size(); ++k) {
    const auto size = static_cast<std::size_t>(observed_[k].size());
    double* const values = observation_[k].data() + static_cast<std::size_t>(env) * size;
    episode.observer.observe(static_cast<int>(k), simulation_, env, values);
    const bool good = Observer::in_bounds(observed_[k], values);
    if (episode.fault == TaskFault::none && !good) {
      episode.fault = TaskFault::bad_observation;
      episode.fault_text = fmt::format("the observation {} left its bounds", observed_[k].name);
    }
    if (!episode.noise) continue;
    std::copy(values, values + size,
              true_observation_[k].data() + static_cast<std::size_t>(env) * size);
    if (good) episode.noise->add(static_cast<int>(k), observed_[k], episode.n_action, values);
  }
}

/// Writes the report of a control step after its last time step.
void TaskEnvironments::conclude(int env) {
  Episode& episode = this->episode(env);
  TaskReport& report = episode.report;
  ++episode.n_action;
  observe(env);
  report.failed = simulation_.failed(env) || episode.fault != TaskFault::none;
  if (episode.fault != TaskFault::none) {
    if (badness(report.status) < 2) report.status = SolveStatus::failed;
    report.fault = episode.fault;
    report.cause = episode.fault_text;
  }
  report.success = !report.failed && episode.success && episode.success->reached();
  report.terminated = report.failed || report.success;
  report.truncated = !report.terminated && episode.n_action >= n_action_;
  report.reward = report.success ? 1 : 0;
  if (task_.reward == Reward::shortfall && !report.failed)
    report.reward -= episode.success->shortfall().value_or(0);
}

}  // namespace nodia
