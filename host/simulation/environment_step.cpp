#include "host/simulation/environment_step.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/cpu/over_items.hpp"

namespace nodia {
namespace {

constexpr const char* kNotFinite = "the state before the step, or a force at it, is not finite";

bool all_finite(const Vec3d* a, std::size_t n, int n_thread = 1) {
  return all_items(static_cast<int>(n), n_thread, [&](int i) { return is_finite(a[i]); });
}

/// Readers of trajectories reject larger coordinates.
constexpr double kLargestCoordinate = 1e12;  // [m]

bool is_in_reach(Vec3d x) {
  return std::fabs(x.x) < kLargestCoordinate && std::fabs(x.y) < kLargestCoordinate &&
         std::fabs(x.z) < kLargestCoordinate;
}

bool are_in_reach(const State& state, int n_thread) {
  return all_items(static_cast<int>(state.x.size()), n_thread,
                   [&](int i) { return is_in_reach(state.x[static_cast<std::size_t>(i)]); }) &&
         std::all_of(state.frames.begin(), state.frames.end(),
                     [](const FramePose& f) { return is_in_reach(f.position); });
}

bool is_zero(Vec3d a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

}  // namespace

EnvironmentStep::EnvironmentStep(EnvironmentModel* model, EnvironmentData* data,
                                 StepMeasurement* measurement)
    : model_(*model),
      data_(*data),
      measurement_(*measurement),
      attached_nodes_(model_.attachments.nodes()),
      force_(data_.state->x.size(), Vec3d{}),
      diagonal_(data_.state->x.size(), 0.0) {}

void EnvironmentStep::start(int n_thread) {
  data_.n_thread = n_thread;
  data_.contacts.found.clear();
  data_.solver_makes_contacts = false;
  has_end_ = false;
  if (data_.failed) return;
  const State& state = *data_.state;
  model_.system.update_kinematics(state);
  model_.system.frames().begin_step();
  if (!data_.is_on_device()) begin_soft_bodies();
  model_.mounts.prepare(state, model_.system);
  model_.external_forces.begin_step(state, data_.time_after(state.step + 1), model_.system);
  if (!data_.is_on_device()) set_loads();
}

/// With theta = 1 every soft body follows its rotation, otherwise those that no attachment holds.
void EnvironmentStep::begin_soft_bodies() {
  soft_turns_.assign(data_.rules.soft_bodies_turn ? model_.scene.soft_bodies.size() : 0, 1);
  const State& state = *data_.state;
  if (!soft_turns_.empty() && model_.scene.time.theta < 1)
    model_.attachments.clear_held(state.time_s, &soft_turns_);
  model_.system.soft_bodies().begin_step({state, soft_turns_,
                                          data_.guess.v_hat.empty() ? state.v : data_.guess.v_hat,
                                          data_.n_thread});
}

void EnvironmentStep::assemble(double* A_value, Vec3d* b) {
  if (!data_.failed) {
    const State& state = *data_.state;
    model_.system.assemble({state, model_.commands.targets(), diagonal_, force_, data_.n_thread,
                            model_.external_forces.force(), &data_.guess.robot_force},
                           A_value, b);
    model_.mounts.add_to_system(A_value, b);
    model_.attachments.add_to_system(state, model_.system, A_value, b);
    data_.fault = model_.commands.fault();
    if (data_.fault.empty() && !all_finite(b, state.v.size(), data_.n_thread))
      data_.fault = kNotFinite;
  }
  if (!data_.is_active()) put_inactive_rows(A_value, b);
}

void EnvironmentStep::predict(const double* A_value, const Vec3d* b) {
  if (data_.is_active())
    free_motion_.update(model_.system, *data_.state, model_.external_forces, data_.n_thread,
                        A_value, b);
}

bool EnvironmentStep::expect(const Vec3d* v_hat, double share) {
  if (!data_.is_active()) return false;
  const bool is_motion_new = model_.system.frames().expect(*data_.state, v_hat, share);
  return expect_forces(v_hat, share) || is_motion_new;
}

/// @return true if drives reach other effort limits
bool EnvironmentStep::expect_forces(const Vec3d* v_hat, double share) {
  std::vector<double>& expected = data_.guess.robot_force;
  const std::vector<double> last = expected;
  if (model_.system.robots().limits_hold(v_hat, &expected)) return false;
  for (std::size_t i = 0; i < last.size(); ++i)
    expected[i] = last[i] + share * (expected[i] - last[i]);
  return true;
}

void EnvironmentStep::detect() {
  if (data_.is_active()) find_pairs(data_.state->v);
}

/// @param v_now  RowVelocities::now
void EnvironmentStep::find_pairs(const std::vector<Vec3d>& v_now) {
  model_.finder->find_pairs(*data_.state, model_.system, {v_now, free_motion_.v()},
                            data_.guess.force_by_key, data_.n_thread, &data_.contacts.found);
}

void EnvironmentStep::make_contacts() {
  if (!data_.is_active()) return;
  model_.finder->make_contacts(*data_.state, model_.system, &data_.contacts.found);
  model_.impacts.set_laws(*data_.state, free_motion_.v(), &data_.contacts.found);
}

bool EnvironmentStep::detect_again(const Vec3d* v_hat, const Vec3d* lambda) {
  has_end_ = false;
  if (!data_.is_active() || !set_end(v_hat, lambda)) return false;
  model_.system.update_kinematics(end_);
  const bool tunnels = model_.finder->find_tunnelling(end_, model_.system);
  const bool turns =
      model_.finder->turns_into_overlap(end_, model_.system, data_.contacts.found, v_hat);
  model_.system.update_kinematics(*data_.state);
  if (!tunnels && !turns) return false;
  has_end_ = false;
  v_hat_.assign(v_hat, v_hat + data_.n_row());
  find_pairs(v_hat_);
  model_.finder->turn(end_, v_hat_, &data_.contacts.found);
  return true;
}

void EnvironmentStep::prepare(int n_thread, bool on_host_too, double* A_value, Vec3d* b) {
  start(n_thread);
  if (on_host_too) {
    assemble(A_value, b);
    predict(A_value, b);
    detect();
    make_contacts();
    data_.solver_makes_contacts = data_.is_active();
    return;
  }
  if (!data_.failed) {
    data_.fault = model_.commands.fault();
    if (data_.fault.empty() && !is_input_finite()) data_.fault = kNotFinite;
  }
  data_.solver_makes_contacts = data_.is_active();
  if (!data_.solver_makes_contacts) put_inactive_rows(A_value, b);
}

bool EnvironmentStep::find_contacts(int n_thread) {
  const State& state = *data_.state;
  data_.n_thread = n_thread;
  data_.contacts.found.clear();
  data_.fault = model_.commands.fault();
  if (data_.fault.empty() &&
      !(all_finite(state.v.data(), state.v.size()) && all_finite(state.x.data(), state.x.size())))
    data_.fault = "the state before the step is not finite";
  if (!data_.fault.empty()) return false;
  begin_soft_bodies();
  model_.mounts.prepare(state, model_.system);
  model_.external_forces.begin_step(state, data_.time_after(state.step + 1), model_.system);
  free_motion_.fall(model_.system, state, model_.external_forces);
  model_.finder->find(state, model_.system, free_motion_.v(), data_.guess.force_by_key, n_thread,
                      &data_.contacts.found);
  return true;
}

/// Checks the inputs of A and b of soft nodes. The device checks device-resident states itself;
/// loads that are not finite make the solution not finite.
bool EnvironmentStep::is_input_finite() const {
  const auto finite = [&](const std::vector<Vec3d>& a) {
    return all_finite(a.data(), a.size(), data_.n_thread);
  };
  const std::vector<Vec3d>* external_force = model_.external_forces.force();
  return (data_.is_on_device() ||
          (finite(data_.state->x) && finite(data_.state->v) && are_loads_finite())) &&
         (external_force == nullptr || finite(*external_force));
}

bool EnvironmentStep::are_loads_finite() const {
  return std::all_of(attached_nodes_.begin(), attached_nodes_.end(), [this](std::int32_t i) {
    return is_finite(force_[i]) && std::isfinite(diagonal_[i]);
  });
}

/// Sets the forces of attachments on nodes.
void EnvironmentStep::set_loads() {
  for (const std::int32_t i : attached_nodes_) {
    diagonal_[i] = 0;
    force_[i] = {};
  }
  model_.attachments.add_to_nodes(*data_.state, model_.system.soft_bodies(), &diagonal_, &force_);
}

void EnvironmentStep::update_loads() {
  set_loads();
  if (!are_loads_finite()) data_.fault = kNotFinite;
}

/// Writes the rows of an inactive environment: A = M/(theta t), b = 0.
void EnvironmentStep::put_inactive_rows(double* A_value, Vec3d* b) const {
  const BlockPattern& pattern = *model_.system.pattern();
  std::fill(A_value, A_value + 9 * static_cast<std::ptrdiff_t>(pattern.n_block()), 0.0);
  for (int i = 0; i < pattern.n_row(); ++i) {
    const double m = model_.scene.time.mass_rate(model_.system.mass()[i]);
    store_block(A_value + 9 * static_cast<std::ptrdiff_t>(pattern.diagonal[i]),
                m * Mat3d::identity());
    b[i] = {};
  }
}

void EnvironmentStep::describe(SoftSource* source) const {
  source->model = nullptr;
  source->obstacles.contacts = nullptr;
  source->attachments.attached_nodes = nullptr;
  source->external_forces.clear();
  source->others.clear();
  if (!data_.is_active()) return;
  const State& state = *data_.state;
  source->model = &model_.system.soft_bodies().model();
  source->is_on_device = data_.is_on_device();
  source->x = data_.is_on_device() ? nullptr : state.x.data();
  source->v = data_.is_on_device() ? nullptr : state.v.data();
  source->gravity = model_.scene.gravity_m_s2;
  model_.attachments.add_coupled_nodes(state, &source->others);
  model_.attachments.describe(state, data_.time_after(state.step + 1), &source->attachments);
  const std::vector<Vec3d>* external_force = model_.external_forces.force();
  for (std::int32_t i = 0;
       external_force != nullptr && i < model_.system.soft_bodies().model().n_node(); ++i)
    if (!is_zero((*external_force)[i]))
      source->external_forces.push_back({i, (*external_force)[i]});
}

void EnvironmentStep::describe_all(SoftSource* source) {
  describe(source);
  ObstacleStep& step = source->obstacles;
  step.forces.clear();
  step.pair_forces.clear();
  step.contacts = model_.obstacle_contacts();
  step.is_inactive = !data_.solver_makes_contacts;
  if (step.is_inactive) return;
  model_.finder->obstacle_motions(*data_.state, model_.system, &step.obstacle);
  step.starts_from_last = data_.guess.solver_has_forces;
  if (data_.guess.solver_has_forces) return;
  model_.finder->by_place(*step.contacts, data_.guess.force_by_key, &step.forces);
  step.pair_forces = data_.guess.pair_forces;
}

void EnvironmentStep::put_contacts(std::int32_t first_row, std::int32_t first_point,
                                   Contact<double>* contacts) const {
  const std::int32_t n_row = data_.n_row();
  const auto merged = [&](std::int32_t side) {
    return side < n_row ? side + first_row : side - n_row + first_point;
  };
  for (const Contact<double>& contact : data_.contacts.found.contacts) {
    Contact<double>& c = *contacts++ = contact;
    c.side_i = merged(c.side_i);
    if (c.side_j != kWorld) c.side_j = merged(c.side_j);
  }
}

void EnvironmentStep::put_forces(Vec3d* lambda) const {
  for (const Contact<double>& c : data_.contacts.found.contacts)
    *lambda++ = data_.guess.force(c.key);
}

void EnvironmentStep::put_velocities(Vec3d* v) const {
  const std::vector<Vec3d>& start = data_.guess.v_hat.empty() ? data_.state->v : data_.guess.v_hat;
  if (data_.is_active())
    std::copy(start.begin(), start.end(), v);
  else
    std::fill(v, v + start.size(), Vec3d{});
}

void EnvironmentStep::finish(const StepSolution& solution, StepRecord* record) {
  data_.contacts.set_contacts(solution, data_.n_row());
  data_.contacts.set_forces(solution.lambda, model_.has_obstacle_contacts(), &data_.guess);
  data_.guess.solver_has_forces = data_.solver_makes_contacts;
  SolveReport report = data_.fault.empty() ? solution.report : not_a_number(data_.fault);
  if (report.status != SolveStatus::not_a_number) measurement_.measure_sensors(solution);
  if (report.status == SolveStatus::converged && !solution.end &&
      !model_.system.frames().is_expected(*data_.state, solution.v_hat)) {
    report.status = SolveStatus::stalled;
    report.reason =
        "the rotations of bodies with joints in this step are not those that its problem assumes";
  }
  State start;  // without the soft nodes, which no measurement needs
  start.frames = data_.state->frames;
  start.time_s = data_.state->time_s;
  if (report.status != SolveStatus::not_a_number && !advance(solution)) {
    report.status = SolveStatus::not_a_number;
    report.reason = "positions or velocities at the end of the step are not finite or too large";
  }
  data_.failed = report.status == SolveStatus::not_a_number;
  data_.failure = data_.failed ? report.reason : "";
  model_.commands.clear_fault();
  if (!data_.failed) {
    data_.guess.v_hat.assign(solution.v_hat, solution.v_hat + data_.state->v.size());
    data_.advance_time();
  }
  record->step = data_.state->step + (data_.failed ? 1 : 0);
  record->time_s = data_.time_after(record->step);
  record->on_device = false;
  record->solve = report;
  record->energy_error_J = report.energy_error_J;
  record->n_contact = data_.contacts.size();
  record->n_stick = data_.contacts.count(ContactState::stick);
  record->n_slip = data_.contacts.count(ContactState::slip);
  measurement_.measure(start, solution, record);
}

/// Advances the state to the end of the step. @return false if that end is not finite
bool EnvironmentStep::advance(const StepSolution& solution) {
  data_.own_state();
  if (!solution.end) {
    if (!has_end_ && !set_end(solution.v_hat, solution.lambda)) return false;
    std::swap(*data_.state, end_);
    return true;
  }
  const State& end = solution.end->state;
  const bool finite = all_finite(end.x.data(), end.x.size()) &&
                      all_finite(end.v.data(), end.v.size()) &&
                      std::all_of(end.frames.begin(), end.frames.end(), [](const FramePose& f) {
                        const Quaternion q = f.orientation;
                        return is_finite(f.position) && std::isfinite(q.w + q.x + q.y + q.z);
                      });
  if (finite) *data_.state = end;
  return finite;
}

/// Computes the end of the step. @return false if it is not finite
bool EnvironmentStep::set_end(const Vec3d* v_hat, const Vec3d* lambda) {
  end_ = *data_.state;
  has_end_ =
      model_.system.advance(v_hat, data_.n_thread, &end_) && are_in_reach(end_, data_.n_thread);
  if (!has_end_) return false;
  model_.system.soft_bodies().set_solved(*data_.state, v_hat, end_, data_.n_thread);
  model_.impacts.set_shift(data_.contacts.found, v_hat, lambda);
  model_.impacts.apply(*data_.state, &end_);
  return true;
}

}  // namespace nodia
