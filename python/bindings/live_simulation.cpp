#include "python/bindings/live_simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "host/simulation/checkpoint.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"
#include "python/bindings/busy.hpp"

namespace nodia::python {
namespace {

const char* words_for(BodyKind kind) {
  switch (kind) {
    case BodyKind::soft:
      return "soft body";
    case BodyKind::rigid:
      return "rigid body";
    case BodyKind::chain:
      return "cable";
    case BodyKind::robot:
      return "robot";
  }
  return "body";
}

}  // namespace

void refuse_name(const char* what, const std::string& name, const std::vector<std::string>& known) {
  if (known.empty()) throw InputError(fmt::format("{} = {} (the scene has none)", what, name));
  throw_bad_value(what, name, fmt::format("one of {}", fmt::join(known, ", ")),
                  similar_name_hint(name, known));
}

LiveSimulation::LiveSimulation(Episodes episodes, std::optional<int> threads,
                               const BackendRequest& backend)
    : episodes_(std::move(episodes)) {
  require_one_solver(episodes_);
  SolverOptions options = episodes_.front()->solver;
  if (threads) options.execution.threads = *threads;
  backend_ =
      backend.resolve(episodes_.front()->scene, static_cast<int>(episodes_.size()), &options);
  std::vector<Scene> scenes;
  for (const auto& episode : episodes_) {
    scenes.push_back(episode->scene);
    objects_.emplace_back(episode->scene);
  }
  simulation_ = std::make_unique<Simulation>(std::move(scenes), options);
  stepped_.resize(episodes_.size());
}

const Simulation& LiveSimulation::still(int env) const {
  if (env < 0 || env >= n_env())
    throw std::out_of_range(fmt::format("env = {} (must be in [0, {}))", env, n_env()));
  Busy::require_none(busy_);
  return *simulation_;
}

const Scenario& LiveSimulation::episode(int env) const {
  still(env);
  return *episodes_[static_cast<std::size_t>(env)];
}

const Objects& LiveSimulation::objects(int env) const {
  still(env);
  return objects_[static_cast<std::size_t>(env)];
}

std::optional<StepView> LiveSimulation::last_step(int env) const {
  const Simulation& simulation = still(env);
  if (!stepped_[static_cast<std::size_t>(env)]) return std::nullopt;
  return simulation.last_step(env);
}

void LiveSimulation::change(int env, const std::function<void(Simulation*)>& action) {
  still(env);
  const Busy busy(&busy_);
  action(simulation_.get());
}

void LiveSimulation::load(int env, const Checkpoint& checkpoint) {
  change(env, [&](Simulation* simulation) { simulation->load(env, checkpoint); });
  stepped_[static_cast<std::size_t>(env)] = 0;
}

void LiveSimulation::reset(int env, std::shared_ptr<const Scenario> episode) {
  still(env);
  if (!has_equal_solver(*episode, *episodes_.front()))
    throw InputError("episode: solver (must be that of the simulation)");
  change(env, [&](Simulation* simulation) { simulation->reset(env, episode->scene); });
  const auto e = static_cast<std::size_t>(env);
  objects_[e] = Objects(episode->scene);
  episodes_[e] = std::move(episode);
  stepped_[e] = 0;
}

StepReports LiveSimulation::step(int n, const std::function<bool()>& go_on) {
  require(n >= 1, "n", n, ">= 1", "a number of steps");
  const Busy busy(&busy_);
  StepReports reports(n_env());
  const std::vector<StepRecord>& records = simulation_->run(
      n,
      [&](const StepView& view) {
        stepped_[static_cast<std::size_t>(view.record.env)] = 1;
        reports.add(view.record);
      },
      go_on);
  for (const StepRecord& record : records)
    if (reports.steps[static_cast<std::size_t>(record.env)] == 0) reports.keep(record);
  return reports;
}

std::int32_t LiveSimulation::object(int env, const std::string& name) const {
  const std::int32_t number = objects(env).find(name);
  if (number < 0) refuse_name("object", name, objects(env).names());
  return number;
}

const BodyRange& LiveSimulation::find(int env, const std::string& name, const char* what,
                                      const Wanted& wanted) const {
  const BodyLayout& layout = still(env).layout(env);
  const std::int32_t number = objects(env).find(name);
  if (number >= 0 && number < layout.size() && wanted(layout[number].kind)) return layout[number];
  std::vector<std::string> known;
  for (std::int32_t b = 0; b < layout.size(); ++b)
    if (wanted(layout[b].kind)) known.push_back(objects(env).name(b));
  refuse_name(what, name, known);
}

const BodyRange& LiveSimulation::body(int env, const std::string& name, BodyKind kind) const {
  return find(env, name, words_for(kind), [&](BodyKind k) { return k == kind; });
}

const BodyRange& LiveSimulation::frames_of(int env, const std::string& name) const {
  return find(env, name, "rigid body or cable",
              [](BodyKind k) { return k == BodyKind::rigid || k == BodyKind::chain; });
}

const BodyRange& LiveSimulation::moving(int env, const std::string& name) const {
  return find(env, name, "body", [](BodyKind) { return true; });
}

std::int32_t LiveSimulation::robot(int env, const std::string& name) const {
  body(env, name, BodyKind::robot);
  return static_cast<std::int32_t>(index_of(still(env).scene(env).robots, name));
}

const RobotSceneDescription& LiveSimulation::robot_of(int env, const std::string& name) const {
  return still(env).scene(env).robots[static_cast<std::size_t>(robot(env, name))];
}

}  // namespace nodia::python
