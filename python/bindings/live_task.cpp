#include "python/bindings/live_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <utility>

#include "python/bindings/busy.hpp"

namespace nodia::python {
namespace {

std::vector<Scene> scenes_of(const Episodes& episodes) {
  std::vector<Scene> scenes;
  for (const auto& episode : episodes) scenes.push_back(episode->scene);
  return scenes;
}

std::vector<EpisodeDraw> draws_of(const Episodes& episodes) {
  std::vector<EpisodeDraw> draws;
  for (const auto& episode : episodes)
    draws.push_back({episode->drawn_by, episode->task ? episode->task->delay_steps : std::nullopt});
  return draws;
}

}  // namespace

LiveTask::LiveTask(Episodes episodes, std::optional<int> threads, const BackendRequest& backend)
    : episodes_(std::move(episodes)) {
  require_one_solver(episodes_);
  SolverOptions options = episodes_.front()->solver;
  if (threads) options.threads = *threads;
  backend_ = backend.resolve(episodes_.front()->scene, n_env(), &options);
  environments_ =
      std::make_unique<TaskEnvironments>(scenes_of(episodes_), options, require_one_task(episodes_),
                                         std::vector<EpisodeDraw>{}, FirstEpisode::by_reset);
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

}  // namespace nodia::python
