#include "host/simulation/device_end.hpp"

#include <algorithm>
#include <utility>

namespace nodia {

bool DeviceEnd::can_prefetch(int k) const {
  const State& state = *data_.state;
  return is_on_device() && data_.solver_makes_contacts && model_.scene.pushes.empty() &&
         model_.attachments.rest(state.time_s, data_.time_after(state.step + k),
                                 data_.time_after(state.step + k + 1));
}

std::span<const ObstacleMotion> DeviceEnd::prefetched_poses(int k) {
  model_.finder->obstacle_motions_at(data_.time_after(data_.state->step + k), &prefetched_poses_);
  return prefetched_poses_;
}

bool DeviceEnd::keep_on_device(const DeviceReport& report, StepRecord* record) {
  if (!data_.fault.empty() || !model_.scene.pushes.empty() ||
      report.solve.status == SolveStatus::not_a_number || !report.end.is_reached)
    return false;
  data_.own_state();
  start_s_ = data_.state->time_s;
  start_step_ = data_.state->step;
  data_.guess.solver_has_forces = true;
  data_.downloader = report.downloader;
  data_.place = report.place;
  data_.advance_time();
  measurement_.measure(report, record);
  return true;
}

void DeviceEnd::download_start(const DownloadedStep& step) {
  if (is_on_device()) {
    set_start(step);
    step_.update_loads();
  }
  data_.downloader = nullptr;
  data_.solver_makes_contacts = data_.solver_makes_contacts && data_.fault.empty();
  if (data_.solver_makes_contacts)
    model_.finder->take(*data_.state, model_.system, step.near, step.pairs, data_.n_thread,
                        &data_.contacts.found);
}

void DeviceEnd::download_end(const DownloadedStep& step, const Vec3d* v_hat, const Vec3d* lambda) {
  const int end_step = std::exchange(data_.state->step, start_step_);
  const double end_s = std::exchange(data_.state->time_s, start_s_);
  set_start(step);
  EnvironmentContacts& contacts = data_.contacts;
  model_.finder->take(*data_.state, model_.system, step.near, step.pairs, data_.n_thread,
                      &contacts.found);
  contacts.set_forces(lambda, model_.has_obstacle_contacts(), &data_.guess);
  contacts.set_slip_velocities(v_hat, nullptr, data_.n_row(), data_.step_s);
  model_.system.advance(v_hat, data_.n_thread, data_.state.get());
  data_.guess.v_hat.assign(v_hat, v_hat + data_.state->v.size());
  data_.state->step = end_step;
  data_.state->time_s = end_s;
  data_.downloader = nullptr;
}

void DeviceEnd::roll_back(const DownloadedStep& step, const Vec3d* v_hat, const Vec3d* lambda) {
  set_start(step);
  InitialGuess& guess = data_.guess;
  guess.v_hat.assign(v_hat, v_hat + data_.state->v.size());
  std::vector<std::uint64_t> keys;
  model_.finder->keys_of(step.near, step.pairs, *model_.obstacle_contacts(), &keys);
  guess.clear_forces();
  for (const std::uint64_t key : keys) guess.force_by_key.emplace_back(key, *lambda++);
  guess.sort_forces();
  guess.solver_has_forces = false;
  data_.downloader = nullptr;
}

/// Sets the nodes to the downloaded start of a step.
void DeviceEnd::set_start(const DownloadedStep& step) {
  data_.own_state();
  State& state = *data_.state;
  std::copy_n(step.x, state.x.size(), state.x.begin());
  std::copy_n(step.v, state.v.size(), state.v.begin());
}

}  // namespace nodia
