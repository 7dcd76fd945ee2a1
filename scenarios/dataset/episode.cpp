#include "scenarios/dataset/episode.hpp"

#include <fmt/format.h>

#include <limits>
#include <string_view>
#include <utility>

#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/drawn_json.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/episode_recorder.hpp"

namespace nodia {
namespace {

/// Puts other words where a path stands in a message, not where another path ends with it.
void replace_path(const std::string& path, const std::string& words, std::string* text) {
  constexpr std::string_view kBefore = " '\"([{=";
  for (std::size_t at = 0; (at = text->find(path, at)) != std::string::npos; ++at)
    if (at == 0 || kBefore.find((*text)[at - 1]) != std::string_view::npos)
      text->replace(at, path.size(), words);
}

/// How an episode ended badly.
struct Failure {
  std::string cause, text;
  std::int64_t step = -1;
};

/// Objects in each other before the first step, which tells them.
std::vector<OverlapNotice> overlaps_at_start(const Scene& scene, const SolverOptions& solver) {
  std::vector<OverlapNotice> overlaps;
  Simulation simulation({scene}, solver);
  simulation.step([&](const StepView& view) {
    for (const OverlapNotice& overlap : view.record.overlaps)
      if (overlap.at_start) overlaps.push_back(overlap);
  });
  return overlaps;
}

/// Why no episode can begin from there; empty where one can.
std::string refusal_of(const Scenario& scenario, const Settled& settled) {
  const std::vector<OverlapNotice> overlaps =
      scenario.task->settle ? settled.overlaps
                            : overlaps_at_start(scenario.scene, with_one_thread(scenario.solver));
  if (!overlaps.empty())
    return fmt::format("{} lies in {}, {:.3g} m deep", overlaps.front().i, overlaps.front().j,
                       overlaps.front().depth_m);
  if (is_failure(settled.status))
    return fmt::format("settling failed: {}{}{}", name_of(settled.status),
                       settled.cause.empty() ? "" : ", ", settled.cause);
  if (!settled.at_rest)
    return fmt::format("not at rest after {:g} s: {:.3g} m/s (must be at most {:g})",
                       settled.time_s, settled.speed_m_s, scenario.task->settle->speed_m_s);
  return "";
}

/// Of an episode whose last control step failed.
/// @param bad_policy  why its actor had no action for it; nothing where it had one
Failure failure_of(const TaskReport& report, const std::optional<std::string>& bad_policy,
                   int n_step) {
  if (bad_policy) return {kBadPolicy, *bad_policy, n_step - 1};
  Failure failure{name_of(report.status), report.cause, n_step - 1};
  if (report.fault != TaskFault::none) failure.cause = name_of(report.fault);
  if (failure.text.empty()) failure.text = name_of(report.status);
  return failure;
}

/// An attempt at an episode.
struct Attempt {
  bool stopped = false;
  std::string refusal;  ///< why its start is no start; empty where it is one
  Failure failure;
  double settle_time_s = 0;
  int delay_steps = 0;
  bool success = false;
  int n_step = 0;
  ArrayGroup arrays;
};

/// The actor's action; where it has none why, and NaN, which fails the episode.
std::vector<double> action_of(Actor* actor, const TaskEnvironments& environments,
                              std::optional<std::string>* bad_policy) {
  try {
    return actor->action(environments);
  } catch (const ActorFailure& failure) {
    *bad_policy = failure.what();
    return std::vector<double>(environments.action_space().size(),
                               std::numeric_limits<double>::quiet_NaN());
  }
}

/// From a start that is one.
Attempt play(TaskEnvironments& environments, Actor* actor, const EpisodeWatch& watch) {
  Attempt attempt;
  attempt.settle_time_s = environments.settled(0).time_s;
  attempt.delay_steps = environments.delay_steps(0);
  EpisodeRecorder recorder(environments);
  std::optional<std::string> bad_policy;
  const int n_most = watch.most_steps.value_or(environments.actions_per_episode());
  while (!environments.report(0).ended() && recorder.n_step() < n_most) {
    if (watch.stop && watch.stop()) {
      attempt.stopped = true;
      return attempt;
    }
    const std::vector<double> action =
        recordable_action(action_of(actor, environments, &bad_policy), environments.action_space());
    environments.step(action, [&](const StepView& view) {
      recorder.see(view);
      if (watch.step) watch.step(view);
    });
    recorder.end_control_step();
  }
  if (watch.end) watch.end();
  const TaskReport& report = environments.report(0);
  attempt.success = report.success;
  attempt.n_step = recorder.n_step();
  if (report.failed) attempt.failure = failure_of(report, bad_policy, recorder.n_step());
  recorder.add_to(&attempt.arrays);
  return attempt;
}

ArrayGroup described(const DrawSeed& key, const std::string& task, const std::string& drawn,
                     const std::vector<std::string>& refused, Attempt attempt) {
  ArrayGroup episode = std::move(attempt.arrays);
  const Failure& failure = attempt.failure;
  Attributes& attributes = episode.attributes;
  attributes["seed"] = key.seed;
  attributes["episode"] = static_cast<std::int64_t>(key.episode);
  attributes["attempt"] = std::int64_t{key.attempt};
  if (!refused.empty()) attributes["refused"] = refused;
  attributes["drawn"] = drawn;
  attributes["task"] = task;
  attributes["steps"] = std::int64_t{attempt.n_step};
  attributes["success"] = std::int64_t{attempt.success ? 1 : 0};
  attributes["status"] = std::string(failure.cause.empty() ? "good" : "failed");
  attributes["cause"] = failure.cause;
  attributes["cause_text"] = failure.text;
  attributes["failed_step"] = failure.step;
  attributes["settle_time_s"] = attempt.settle_time_s;
  attributes["delay_steps"] = std::int64_t{attempt.delay_steps};
  return episode;
}

}  // namespace

SolverOptions with_one_thread(SolverOptions solver) {
  solver.threads = 1;
  return solver;
}

std::string episode_name(std::int64_t episode) {
  return fmt::format("episode_{:06}", episode);
}

EpisodeMaker::EpisodeMaker(const DatasetRequest& request, std::string folder)
    : seed_(request.seed),
      folder_(std::move(folder)),
      source_(request.scenario),
      task_(*source_.document().task) {}

Scenario EpisodeMaker::drawn(const DrawSeed& key) {
  const std::lock_guard lock(mutex_);
  return source_.scenario(key);
}

std::string EpisodeMaker::without_folder(std::string text) const {
  replace_path(request_path(folder_), "dataset.yaml", &text);
  replace_path(absolute_folder(folder_) + "/", "", &text);
  return text;
}

std::optional<ArrayGroup> EpisodeMaker::make(std::int64_t episode, const ActorMaker& actors,
                                             const EpisodeWatch& watch) {
  DrawSeed key(seed_, static_cast<std::uint64_t>(episode));
  const int n_attempt = source_.draws() ? kMostAttempts : 1;
  std::vector<std::string> refused;
  for (;; ++key.attempt) {
    std::string drawn = "{}";  // of a scene that cannot be made nothing is known
    Attempt attempt;
    Scenario scenario;
    std::optional<TaskEnvironments> environments;
    try {
      scenario = this->drawn(key);
      drawn = drawn_json(scenario.drawn);
      environments.emplace(std::vector<Scene>{scenario.scene}, with_one_thread(scenario.solver),
                           *scenario.task,
                           std::vector<EpisodeDraw>{{key, scenario.task->delay_steps}});
      attempt.refusal = refusal_of(scenario, environments->settled(0));
    } catch (const InputError& error) {
      attempt.refusal = without_folder(error.what());
    }
    if (attempt.refusal.empty()) {
      if (watch.begin) watch.begin(scenario, *environments);
      attempt = play(*environments, actors(scenario).get(), watch);
    }
    if (attempt.stopped) return std::nullopt;
    if (attempt.refusal.empty())
      return described(key, task_.text, drawn, refused, std::move(attempt));
    refused.push_back(std::move(attempt.refusal));
    if (static_cast<int>(refused.size()) < n_attempt) continue;
    Attempt none;
    none.failure = {"no_valid_start", refused.back(), -1};
    return described(key, task_.text, drawn, refused, std::move(none));
  }
}

}  // namespace nodia
