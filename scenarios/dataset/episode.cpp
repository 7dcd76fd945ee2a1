#include "scenarios/dataset/episode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <memory>
#include <numeric>
#include <string_view>
#include <utility>

#include "kernels/core/error.hpp"
#include "scenarios/build/document.hpp"
#include "scenarios/build/drawn_json.hpp"
#include "scenarios/build/solver_settings.hpp"
#include "scenarios/dataset/dataset_folder.hpp"
#include "scenarios/dataset/episode_recorder.hpp"

namespace nodia {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Replaces a path in a message, but not the end of a longer path.
void replace_path(const std::string& path, const std::string& words, std::string* text) {
  constexpr std::string_view kBefore = " '\"([{=";
  for (std::size_t at = 0; (at = text->find(path, at)) != std::string::npos; ++at)
    if (at == 0 || kBefore.find((*text)[at - 1]) != std::string_view::npos)
      text->replace(at, path.size(), words);
}

/// Cause, message and control step of a failed episode.
struct Failure {
  std::string cause, text;
  std::int64_t step = -1;
};

/// Overlaps of objects at the start. The first time step reports them, so this function takes one.
std::vector<OverlapNotice> overlaps_at_start(const Scene& scene, const SolverOptions& solver) {
  std::vector<OverlapNotice> overlaps;
  Simulation simulation({scene}, solver);
  simulation.step([&](const StepView& view) {
    for (const OverlapNotice& overlap : view.record.overlaps)
      if (overlap.at_start) overlaps.push_back(overlap);
  });
  return overlaps;
}

/// Reason to reject a start; empty if an episode can begin from it.
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

/// Failure of an episode whose last control step failed.
/// @param bad_policy  message of the actor if it returned no action for that step
Failure failure_of(const TaskReport& report, const std::optional<std::string>& bad_policy,
                   int n_step) {
  if (bad_policy) return {kBadPolicy, *bad_policy, n_step - 1};
  Failure failure{name_of(report.status), report.cause, n_step - 1};
  if (report.fault != TaskFault::none) failure.cause = name_of(report.fault);
  if (failure.text.empty()) failure.text = name_of(report.status);
  return failure;
}

/// State of an episode while it is generated.
struct Making {
  DrawSeed key;
  std::vector<std::string> rejected;  ///< reasons of the rejected starts
  bool given_up = false;              ///< no valid start
  bool alone = false;                 ///< it cannot be in a batch with others
  std::string drawn = "{}";           ///< sampled values as JSON; {} if sampling failed
  Scenario scenario;                  ///< valid unless given_up
  Failure failure;
  double settle_time_s = 0;
  int delay_steps = 0;
  bool success = false;
  int n_step = 0;
  ArrayGroup arrays;
};
using Group = std::vector<Making*>;

/// Options that all scenarios of one simulation share.
struct Kind {
  SolverOptions solver;
  TimeOptions time;

  explicit Kind(const Scenario& s) : solver(s.solver), time(s.scene.time) {}
  bool has(const Scenario& s) const {
    const TimeOptions& other = s.scene.time;
    return other.step_s == time.step_s && other.theta == time.theta &&
           other.duration_s == time.duration_s && have_equal_settings(s.solver, solver);
  }
};

/// The actor's action. If the actor fails, sets `bad_policy` to its message and returns NaN, which
/// fails the episode.
std::vector<double> action_of(Actor* actor, const TaskEnvironments& environments, int env,
                              std::optional<std::string>* bad_policy) {
  try {
    return actor->action(environments, env);
  } catch (const ActorFailure& failure) {
    *bad_policy = failure.what();
    return std::vector<double>(environments.action_space().size(), kNaN);
  }
}

/// Actor and recorder of the episode in one environment.
struct Player {
  std::unique_ptr<Actor> actor;
  std::optional<EpisodeRecorder> recorder;
  std::optional<std::string> bad_policy;
};

/// Steps a batch of episodes from valid starts until all have ended, and stores their arrays.
/// @param batch  episode of each environment; null: the environment has none and fails
/// @return false if `watch` stopped the batch
bool play(TaskEnvironments& environments, const Group& batch, const ActorMaker& actors,
          const EpisodeWatch& watch) {
  std::vector<Player> players(batch.size());
  for (std::size_t e = 0; e < batch.size(); ++e) {
    if (batch[e] == nullptr) continue;
    const int env = static_cast<int>(e);
    batch[e]->settle_time_s = environments.settled(env).time_s;
    batch[e]->delay_steps = environments.delay_steps(env);
    if (watch.begin) watch.begin(batch[e]->scenario, environments);
    players[e].actor = actors(batch[e]->scenario);
    players[e].recorder.emplace(environments, env);
  }
  const std::size_t width = environments.action_space().size();
  const int n_most = watch.most_steps.value_or(environments.actions_per_episode());
  std::vector<double> actions(batch.size() * width, kNaN);
  for (int k = 0; k < n_most; ++k) {
    std::vector<Player*> acting;
    for (std::size_t e = 0; e < batch.size(); ++e) {
      const int env = static_cast<int>(e);
      if (batch[e] == nullptr || environments.report(env).ended()) continue;
      if (watch.stop && watch.stop()) return false;
      Player* const player = acting.emplace_back(&players[e]);
      const std::vector<double> action =
          recordable_action(action_of(player->actor.get(), environments, env, &player->bad_policy),
                            environments.action_space());
      std::copy(action.begin(), action.end(),
                actions.begin() + static_cast<std::ptrdiff_t>(e * width));
    }
    if (acting.empty()) break;
    environments.step(actions, [&](const StepView& view) {
      std::optional<EpisodeRecorder>& recorder =
          players[static_cast<std::size_t>(view.record.env)].recorder;
      if (!recorder) return;
      recorder->see(view);
      if (watch.step) watch.step(view);
    });
    for (Player* player : acting) player->recorder->end_control_step();
  }
  if (watch.end) watch.end();
  for (std::size_t e = 0; e < batch.size(); ++e) {
    if (batch[e] == nullptr) continue;
    const TaskReport& report = environments.report(static_cast<int>(e));
    Making& made = *batch[e];
    made.success = report.success;
    made.n_step = players[e].recorder->n_step();
    if (report.failed) made.failure = failure_of(report, players[e].bad_policy, made.n_step);
    players[e].recorder->add_to(&made.arrays);
  }
  return true;
}

std::vector<Scene> scenes_of(const Group& batch) {
  std::vector<Scene> scenes;
  for (const Making* one : batch) scenes.push_back(one->scenario.scene);
  return scenes;
}

std::vector<EpisodeDraw> draws_of(const Group& batch) {
  std::vector<EpisodeDraw> draws;
  for (const Making* one : batch) draws.push_back({one->key, one->scenario.task->delay_steps});
  return draws;
}

/// Arrays of the episode with the attributes of docs/datasets.md.
ArrayGroup described(const std::string& task, Making made) {
  ArrayGroup episode = std::move(made.arrays);
  const Failure& failure = made.failure;
  Attributes& attributes = episode.attributes;
  attributes["seed"] = made.key.seed;
  attributes["episode"] = static_cast<std::int64_t>(made.key.episode);
  attributes["attempt"] = std::int64_t{made.key.attempt};
  if (!made.rejected.empty()) attributes["refused"] = made.rejected;
  attributes["drawn"] = made.drawn;
  attributes["task"] = task;
  attributes["steps"] = std::int64_t{made.n_step};
  attributes["success"] = std::int64_t{made.success ? 1 : 0};
  attributes["status"] = std::string(failure.cause.empty() ? "good" : "failed");
  attributes["cause"] = failure.cause;
  attributes["cause_text"] = failure.text;
  attributes["failed_step"] = failure.step;
  attributes["settle_time_s"] = made.settle_time_s;
  attributes["delay_steps"] = std::int64_t{made.delay_steps};
  return episode;
}

}  // namespace

SolverOptions with_one_thread(SolverOptions solver) {
  solver.execution.threads = 1;
  return solver;
}

std::string episode_name(std::int64_t episode) {
  return fmt::format("episode_{:06}", episode);
}

/// The episodes of one call of EpisodeMaker::make().
class EpisodeMaker::Several {
 public:
  Several(EpisodeMaker& maker, std::int64_t first, std::int64_t end, const ActorMaker& actors,
          const EpisodeWatch& watch)
      : maker_(maker), actors_(actors), watch_(watch) {
    for (std::int64_t e = first; e < end; ++e) {
      Making& made = episodes_.emplace_back();
      made.key = DrawSeed(maker.seed_, static_cast<std::uint64_t>(e));
      draw(&made);
      if (!made.given_up) left_.push_back(&made);
    }
  }

  /// Generates all episodes, batch by batch. @return false if the watch stopped them
  bool make() {
    while (!left_.empty())
      if (!make(alike())) return false;
    return true;
  }
  std::vector<ArrayGroup> described() {
    std::vector<ArrayGroup> all;
    for (Making& made : episodes_)
      all.push_back(nodia::described(maker_.task_.text, std::move(made)));
    return all;
  }

 private:
  /// Samples starts until one gives a valid scene or all attempts are used.
  void draw(Making* made) {
    while (!made->given_up) {
      made->drawn = "{}";
      try {
        made->scenario = maker_.drawn(made->key);
        made->drawn = drawn_json(made->scenario.drawn);
        return;
      } catch (const InputError& error) {
        refuse(made, maker_.without_folder(error.what()));
      }
    }
  }

  /// Rejects the start: selects the next attempt, or gives the episode up after the last one.
  void refuse(Making* made, std::string reason) {
    const std::size_t n_attempt = maker_.source_.draws() ? kMostAttempts : 1;
    made->rejected.push_back(std::move(reason));
    made->given_up = made->rejected.size() >= n_attempt;
    if (made->given_up)
      made->failure = {"no_valid_start", made->rejected.back(), -1};
    else
      ++made->key.attempt;
  }
  void draw_again(Making* made, std::string reason) {
    refuse(made, std::move(reason));
    draw(made);
  }

  /// Removes the first remaining episode and those that one simulation can combine with it.
  /// @return these episodes: the next batch
  Group alike() {
    Group batch{left_.front()};
    const Kind kind(batch.front()->scenario);
    for (std::size_t k = 1; k < left_.size() && !batch.front()->alone; ++k)
      if (!left_[k]->alone && kind.has(left_[k]->scenario)) batch.push_back(left_[k]);
    std::erase_if(left_, [&](Making* one) {
      return std::find(batch.begin(), batch.end(), one) != batch.end();
    });
    return batch;
  }

  /// Generates the episodes that get a valid start; the others return to left_.
  /// @return false if the watch stopped the batch
  bool make(Group batch) {
    const Scenario& first = batch.front()->scenario;
    const Kind kind(first);
    const SolverOptions solver = maker_.solver_of(first, static_cast<int>(batch.size()));
    const TaskDescription task = *first.task;
    std::optional<TaskEnvironments> environments;
    try {
      environments.emplace(scenes_of(batch), solver, task, draws_of(batch));
    } catch (const InputError& error) {
      if (batch.size() == 1)
        draw_again(batch.front(), maker_.without_folder(error.what()));
      else
        separate(batch);
      leave(batch);
      return true;
    }
    Group playing = batch;
    for (std::vector<int> begun = all(batch); !begun.empty();) {
      begun = without_start(*environments, begun, kind, &playing);
      Group again;
      for (const int env : begun) again.push_back(batch[static_cast<std::size_t>(env)]);
      try {
        environments->reset(begun, scenes_of(again), draws_of(again));
      } catch (const InputError&) {
        for (Making* one : batch) one->alone = true;
        std::erase_if(left_, [&](Making* one) { return one->alone; });
        leave(batch);
        return true;
      }
    }
    const bool none = std::all_of(playing.begin(), playing.end(), [](Making* m) { return !m; });
    return none || play(*environments, playing, actors_, watch_);
  }

  /// Indices of all environments of the batch.
  static std::vector<int> all(const Group& batch) {
    std::vector<int> envs(batch.size());
    std::iota(envs.begin(), envs.end(), 0);
    return envs;
  }

  /// Called if the batch cannot be constructed. Resamples the episodes that cannot be simulated
  /// even alone. If there is none, the episodes cannot be combined and continue alone.
  void separate(const Group& batch) {
    bool found = false;
    for (Making* one : batch) {
      const Scenario& s = one->scenario;
      try {
        TaskEnvironments({s.scene}, with_one_thread(s.solver), *s.task, {}, FirstEpisode::by_reset);
      } catch (const InputError& error) {
        draw_again(one, maker_.without_folder(error.what()));
        found = true;
      }
    }
    for (Making* one : batch) one->alone = !found;
  }

  /// Returns the episodes to left_, except those without a valid start.
  void leave(const Group& batch) {
    for (Making* one : batch)
      if (!one->given_up) left_.push_back(one);
  }

  /// Rejects invalid starts among the environments `begun` and resamples them.
  /// @param playing  out: null if the environment continues without an episode
  /// @return environments that must begin again in a new scene
  std::vector<int> without_start(const TaskEnvironments& environments,
                                 const std::vector<int>& begun, const Kind& kind, Group* playing) {
    std::vector<int> again;
    for (const int env : begun) {
      Making*& one = (*playing)[static_cast<std::size_t>(env)];
      std::string refusal = refusal_of(one->scenario, environments.settled(env));
      if (refusal.empty()) continue;
      draw_again(one, std::move(refusal));
      if (!one->given_up && playing->size() > 1 && kind.has(one->scenario)) {
        again.push_back(env);
        continue;
      }
      if (!one->given_up) left_.push_back(one);
      one = nullptr;
    }
    return again;
  }

  EpisodeMaker& maker_;
  const ActorMaker& actors_;
  const EpisodeWatch& watch_;
  std::deque<Making> episodes_;
  Group left_;  ///< episodes that are neither generated nor given up
};

EpisodeMaker::EpisodeMaker(const DatasetRequest& request, std::string folder,
                           BackendRequest backend)
    : seed_(request.seed),
      folder_(std::move(folder)),
      backend_(std::move(backend)),
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

SolverOptions EpisodeMaker::solver_of(const Scenario& scenario, int n_env) const {
  SolverOptions options = with_one_thread(scenario.solver);
  backend_.resolve(scenario.scene, n_env, &options);
  return options;
}

std::optional<std::vector<ArrayGroup>> EpisodeMaker::make(std::int64_t first, std::int64_t end,
                                                          const ActorMaker& actors,
                                                          const EpisodeWatch& watch) {
  Several several(*this, first, end, actors, watch);
  if (!several.make()) return std::nullopt;
  return several.described();
}

std::optional<ArrayGroup> EpisodeMaker::make(std::int64_t episode, const ActorMaker& actors,
                                             const EpisodeWatch& watch) {
  std::optional<std::vector<ArrayGroup>> made = make(episode, episode + 1, actors, watch);
  if (!made) return std::nullopt;
  return std::move(made->front());
}

}  // namespace nodia
