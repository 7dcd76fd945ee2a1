#include "host/simulation/environment.hpp"

#include <fmt/format.h>

#include <utility>

#include "host/scene/fingerprint.hpp"
#include "host/simulation/find_target.hpp"
#include "kernels/core/error.hpp"

namespace nodia {

Environment::Environment(Scene scene, TopologyPool* pool)
    : data_(scene.time.step_s),
      model_(std::move(scene), pool, data_.state.get()),
      measurement_(&model_, &data_),
      step_(&model_, &data_, &measurement_),
      device_end_(&model_, &data_, &measurement_, &step_) {
  start_overlap_watch();
}

/// Searches for overlaps in the initial state of the simulation.
void Environment::start_overlap_watch() {
  model_.system.update_kinematics(*data_.state);
  std::vector<ObjectOverlap> overlaps;
  model_.finder->find_overlaps(*data_.state, model_.system, &overlaps);
  model_.overlap_watch.start(overlaps);
}

StepContactsView Environment::contacts() const {
  data_.download();
  return data_.contacts.view();
}

std::vector<Pose> Environment::link_poses() const {
  std::vector<Pose> poses;
  for (int r = 0; r < model_.system.robots().size(); ++r) {
    const std::vector<Pose>& links = model_.system.robots().model(r).link_poses();
    poses.insert(poses.end(), links.begin(), links.end());
  }
  return poses;
}

std::vector<Pose> Environment::obstacle_poses() const {
  std::vector<Pose> poses;
  for (const Path& path : model_.commands.targets().obstacles)
    poses.push_back(path.at(data_.state->time_s));
  return poses;
}

std::vector<Pose> Environment::attachment_poses() const {
  return model_.attachments.poses(data_.state->time_s, model_.system);
}

StepView Environment::view(const StepRecord& record) const {
  return {record,       model_.system.layout(), *this,
          link_poses(), obstacle_poses(),       attachment_poses()};
}

void Environment::set_state(State state) {
  const auto same = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  if (!same(state.x, data_.state->x) || !same(state.v, data_.state->v) ||
      !same(state.frames, data_.state->frames) || !same(state.q, data_.state->q))
    throw_bad_value("state", static_cast<double>(state.v.size()),
                    "positions, frames, coordinates and velocities of the environment's bodies",
                    "");
  data_.state = std::make_shared<State>(std::move(state));
  data_.downloader = nullptr;
  data_.time_origin_s = data_.state->time_s - data_.state->step * model_.scene.time.step_s;
  data_.guess.clear();
  data_.failed = false;
  model_.commands.clear_fault();
  model_.energy_watch.interrupt();
  start_overlap_watch();
}

void Environment::set_holding(const std::string& attachment, bool holds) {
  const std::size_t k = find_attachment(model_.scene, attachment);
  if (holds && !model_.attachments.holds(k, data_.state->time_s)) {
    data_.download();
    model_.system.update_kinematics(*data_.state);
    model_.attachments.attach(k, *data_.state, model_.system);
  }
  model_.commands.targets().attachments[k].holds = holds;
}

Checkpoint Environment::save() const {
  data_.download();
  Checkpoint c;
  c.scene = fingerprint(model_.scene);
  c.state = *data_.state;
  c.time_origin_s = data_.time_origin_s;
  c.failed = data_.failed;
  c.reason = data_.failed ? data_.failure : model_.commands.fault();
  c.targets = model_.commands.targets();
  c.places = model_.attachments.places();
  c.robot_force = data_.guess.robot_force;
  c.overlaps = model_.overlap_watch.memory();
  c.energies = model_.energy_watch.memory();
  c.v_hat = data_.guess.v_hat;
  for (const auto& [key, lambda] : data_.guess.force_by_key) {
    c.lambda_keys.push_back(key);
    c.lambda.push_back(lambda);
  }
  return c;
}

void Environment::load(const Checkpoint& c) {
  if (c.scene != fingerprint(model_.scene))
    throw InputError(fmt::format(
        "checkpoint (must be of the same scene as '{}', but is of another: load it where the scene "
        "is what it was, meshes and drawn values included)",
        model_.scene.name));
  data_.state = std::make_shared<State>(c.state);
  data_.downloader = nullptr;
  data_.time_origin_s = c.time_origin_s;
  data_.failed = c.failed;
  data_.failure = c.failed ? c.reason : "";
  model_.commands.set_fault(c.failed ? "" : c.reason);
  model_.commands.targets() = c.targets;
  model_.attachments.set_places(c.places);
  model_.overlap_watch.set_memory(c.overlaps);
  model_.energy_watch.set_memory(c.energies);
  data_.guess.clear();
  data_.guess.v_hat = c.v_hat;
  data_.guess.robot_force = c.robot_force;
  for (std::size_t m = 0; m < c.lambda.size(); ++m)
    data_.guess.force_by_key.emplace_back(c.lambda_keys[m], c.lambda[m]);
  model_.system.update_kinematics(*data_.state);
}

}  // namespace nodia
