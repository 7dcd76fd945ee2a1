#include "python/bindings/live_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "host/scene/fingerprint.hpp"
#include "kernels/core/error.hpp"
#include "python/bindings/busy.hpp"

namespace nodia::python {
namespace {

/// Name of text_of_steps() in TaskCheckpoint::episode.
constexpr const char* kTask = "task";

std::vector<Scene> scenes_of(const Episodes& episodes) {
  std::vector<Scene> scenes;
  for (const auto& episode : episodes) scenes.push_back(episode->scene);
  return scenes;
}

EpisodeDraw draw_of(const Scenario& episode) {
  return {episode.drawn_by, episode.task ? episode.task->delay_steps : std::nullopt};
}

std::vector<EpisodeDraw> draws_of(const Episodes& episodes) {
  std::vector<EpisodeDraw> draws;
  for (const auto& episode : episodes) draws.push_back(draw_of(*episode));
  return draws;
}

}  // namespace

LiveTask::LiveTask(Episodes episodes, std::optional<int> threads, const BackendRequest& backend)
    : episodes_(std::move(episodes)) {
  require_one_solver(episodes_);
  SolverOptions options = episodes_.front()->solver;
  if (threads) options.execution.threads = *threads;
  backend_ = backend.resolve(episodes_.front()->scene, n_env(), &options);
  environments_ =
      std::make_unique<TaskEnvironments>(scenes_of(episodes_), options, require_one_task(episodes_),
                                         std::vector<EpisodeDraw>{}, FirstEpisode::by_reset);
  text_of_steps_ = text_of_steps(environments_->task());
  begun_.resize(episodes_.size());
  stepped_.resize(episodes_.size());
}

const TaskEnvironments& LiveTask::still(int env) const {
  if (env < 0 || env >= n_env())
    throw std::out_of_range(fmt::format("env = {} (must be in [0, {}))", env, n_env()));
  Busy::require_none(busy_);
  return *environments_;
}

const Scenario& LiveTask::episode(int env) const {
  still(env);
  return *episodes_[static_cast<std::size_t>(env)];
}

std::optional<StepView> LiveTask::last_step(int env) const {
  const TaskEnvironments& environments = still(env);
  if (!stepped_[static_cast<std::size_t>(env)]) return std::nullopt;
  return environments.simulation().last_step(env);
}

std::vector<Settled> LiveTask::reset(const std::vector<int>& envs, Episodes episodes) {
  const Busy busy(&busy_);
  Episodes all = episodes;
  all.insert(all.begin(), episodes_.front());
  require_one_solver(all);
  require_one_task(all);
  std::vector<Settled> settled =
      environments_->reset(envs, scenes_of(episodes), draws_of(episodes));
  for (std::size_t k = 0; k < envs.size(); ++k) {
    const auto e = static_cast<std::size_t>(envs[k]);
    episodes_[e] = std::move(episodes[k]);
    begun_[e] = 1;
    stepped_[e] = 0;
  }
  return settled;
}

StepReports LiveTask::step(const std::vector<double>& actions) {
  const Busy busy(&busy_);
  StepReports reports(n_env());
  std::mutex one_at_a_time;
  environments_->step(actions, [&](const StepView& view) {
    const std::lock_guard lock(one_at_a_time);
    stepped_[static_cast<std::size_t>(view.record.env)] = 1;
    reports.add(view.record);
  });
  std::stable_sort(reports.overlaps.begin(), reports.overlaps.end(),
                   [](const auto& a, const auto& b) { return a.env < b.env; });
  return reports;
}

TaskCheckpoint LiveTask::save(int env) {
  still(env);
  const Busy busy(&busy_);
  TaskCheckpoint checkpoint = environments_->save(env);
  checkpoint.episode[kTask] = text_of_steps_;
  return checkpoint;
}

void LiveTask::load(const std::vector<int>& envs, const Episodes& episodes,
                    const std::vector<TaskCheckpoint>& checkpoints) {
  for (const int env : envs) still(env);
  const Busy busy(&busy_);
  for (std::size_t k = 0; k < envs.size(); ++k) {
    const auto task = checkpoints.at(k).episode.find(kTask);
    if (task == checkpoints[k].episode.end() || task->second != text_of_steps_)
      throw InputError("state (must be of the same task, but is of another)");
    if (checkpoints[k].simulation.scene != fingerprint(episodes.at(k)->scene))
      throw InputError(
          fmt::format("state (must be of the same scene as '{}', but is of another: load it into "
                      "an environment "
                      "of the same scenario file and overrides)",
                      episodes[k]->scene.name));
  }
  for (std::size_t k = 0; k < envs.size(); ++k) {
    const auto e = static_cast<std::size_t>(envs[k]);
    if (!begun_[e] || episodes_[e] != episodes[k])
      environments_->place(envs[k], episodes[k]->scene, draw_of(*episodes[k]));
    episodes_[e] = episodes[k];
    begun_[e] = 1;
    environments_->load(envs[k], checkpoints[k]);
    stepped_[e] = 0;
  }
}

}  // namespace nodia::python
