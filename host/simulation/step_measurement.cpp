#include "host/simulation/step_measurement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "host/simulation/bodies/find_fold.hpp"
#include "host/simulation/obstacle_force.hpp"

namespace nodia {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Message about the deepest missed overlap of every two objects.
std::string text_of(const std::vector<ObjectOverlap>& missed, const OverlapWatch& watch) {
  std::map<std::pair<std::int32_t, std::int32_t>, ObjectOverlap> deepest;
  for (ObjectOverlap m : missed) {
    if (m.j < m.i) std::swap(m.i, m.j);
    ObjectOverlap& deeper = deepest[{m.i, m.j}];
    if (m.depth_m >= deeper.depth_m) deeper = m;
  }
  std::string text;
  for (const auto& [pair, overlap] : deepest) {
    const auto [i, j] = watch.names(overlap);
    text += fmt::format("{}'{}' came {:.3g} m into or through '{}'", text.empty() ? "" : ", ", i,
                        overlap.depth_m, j);
  }
  return text +
         " without a contact in the step's problem (take a smaller time.step_s or a larger "
         "contact.margin_m)";
}

/// Calls visit(mass, x) for all masses but those of robots.
template <class Visit>
void for_masses(const BodySystem& system, const State& state, const Visit& visit) {
  const BodyLayout& layout = system.layout();
  for (std::int32_t i = 0; i < layout.n_node(); ++i)
    visit(system.mass()[static_cast<std::size_t>(i)], state.x[static_cast<std::size_t>(i)]);
  for (std::int32_t f = 0; f < layout.n_frame(); ++f)
    visit(system.mass()[static_cast<std::size_t>(layout.frame_row(f))],
          state.frames[static_cast<std::size_t>(f)].position);
}

/// Sum of m x without robots [kg m].
Vec3d moment_of(const BodySystem& system, const State& state) {
  Vec3d moment{};
  for_masses(system, state, [&](double mass_kg, Vec3d x) { moment += mass_kg * x; });
  return moment;
}

/// Marks a solved step as failed unless the reason is empty.
void fail_if(const std::string& reason, StepRecord* r) {
  if (reason.empty()) return;
  const bool is_second = r->solve.status == SolveStatus::failed && !r->solve.reason.empty();
  r->solve.reason = is_second ? r->solve.reason + "; " + reason : reason;
  r->solve.status = SolveStatus::failed;
}

void add_sensors(std::span<const AttachmentSums> attachment_sums, std::vector<Wrench>* sensors) {
  for (const AttachmentSums& one : attachment_sums)
    sensors->push_back({one.force_N, one.torque_Nm});
}

}  // namespace

StepMeasurement::StepMeasurement(EnvironmentModel* model, EnvironmentData* data)
    : model_(*model), data_(*data) {
  for_masses(model_.system, *data_.state, [this](double mass_kg, Vec3d) { mass_kg_ += mass_kg; });
}

SolveReport not_a_number(const std::string& reason) {
  SolveReport report;
  report.status = SolveStatus::not_a_number;
  report.reason = reason;
  report.relative_residual = report.natural_map_error = kNaN;
  report.energy_error_J = report.certificate_J = kNaN;
  return report;
}

void StepMeasurement::measure_sensors(const StepSolution& solution) {
  const Vec3d* v_hat = solution.v_hat;
  mounts_.clear();
  if (solution.end)
    model_.mounts.measure(data_.state->time_s, solution.end->joint_loads, &mounts_);
  else
    model_.mounts.measure(*data_.state, v_hat, &mounts_);
  const EnvironmentContacts& contacts = data_.contacts;
  force_sensors_.clear();
  model_.force_sensors.measure({*data_.state, v_hat, contacts.found, contacts.lambda, model_.mounts,
                                model_.attachments, model_.external_forces},
                               model_.system, &force_sensors_);
}

void StepMeasurement::measure(const State& start, const StepSolution& solution, StepRecord* r) {
  const Vec3d* v_hat = solution.v_hat;
  EnvironmentContacts& contacts = data_.contacts;
  r->sensors.clear();
  r->overlaps.clear();
  r->broken_mounts.clear();
  if (data_.failed) return set_nan(r);
  measure_efforts(v_hat, r);
  break_mounts(r);
  r->sensors = mounts_;
  model_.system.update_kinematics(*data_.state);
  const std::vector<AttachmentSums> attachment_sums =
      model_.attachments.sums(start.time_s, *data_.state, model_.system);
  add_sensors(attachment_sums, &r->sensors);
  r->sensors.insert(r->sensors.end(), force_sensors_.begin(), force_sensors_.end());

  r->obstacle_force_N =
      obstacle_force(contacts.found.contacts, contacts.lambda, data_.n_thread, &force_on_side_);
  contacts.set_slip_velocities(v_hat, model_.impacts.shift(), data_.n_row(), data_.step_s);
  model_.finder->evaluate(*data_.state, model_.system, contacts.found, &end_of_step_);
  name_worst_body(r);
  evaluate_overlaps(r);
  fail_if(find_fold(model_.scene, start.frames, data_.state->frames), r);
  r->turn = fastest_turn();
  r->push_work_J = model_.external_forces.work_J(v_hat);
  model_.mounts.move_to_end(data_.state->time_s, model_.system);
  const BodyEnergies energies = model_.system.energies(*data_.state, data_.n_thread);
  add_totals(attachment_sums, energies, r);
  r->frame_work_J += model_.mounts.work_J(r->sensors);
  evaluate_energy(solution, energies, r);
  name_key_of_cables(r);
}

/// Measures the efforts of robots. A converged step in which they are not those of the limited
/// drives is stalled. If a drive is at its limit, the next step expects the external forces of this
/// one.
void StepMeasurement::measure_efforts(const Vec3d* v_hat, StepRecord* r) {
  constexpr double kLargestExcess = 1e-6;
  double largest_excess = 0;
  Robots& robots = model_.system.robots();
  r->efforts.clear();
  r->limited_drives.clear();
  for (int k = 0; k < robots.size(); ++k) {
    const RobotModel& robot = robots.model(k);
    const std::string& name = model_.scene.robots[static_cast<std::size_t>(k)].name;
    const RobotModel::Report report = robot.report(v_hat + robots.range(k).first_row);
    r->efforts.insert(r->efforts.end(), report.effort.begin(), report.effort.end());
    largest_excess = std::max(largest_excess, report.largest_excess);
    for (std::size_t i = 0; i < report.saturated.size(); ++i) {
      const RobotCoordinate& c = robot.coordinates()[i];
      if (report.saturated[i])
        r->limited_drives.push_back({name + "." + c.joint, c.max_effort, c.slides});
    }
  }
  const bool hold =
      robots.limits_hold(v_hat, &data_.guess.robot_force) && largest_excess <= kLargestExcess;
  if (r->limited_drives.empty()) data_.guess.robot_force.clear();
  if (hold || r->solve.status != SolveStatus::converged) return;
  r->solve.status = SolveStatus::stalled;
  r->solve.reason = "the drives at their effort limits are not those of the step's problem";
}

/// Releases the mounts whose force in this step exceeds what they bear.
void StepMeasurement::break_mounts(StepRecord* r) {
  const std::vector<MountDescription>& mounts = model_.scene.mounts;
  for (std::size_t m = 0; m < mounts.size(); ++m) {
    if (!mounts[m].breaks_at_N || !(norm(mounts_[m].force_N) > *mounts[m].breaks_at_N)) continue;
    model_.commands.targets().mounts[m].holds = false;
    r->broken_mounts.push_back(mounts[m].name);
  }
}

/// Computes the terms of the energy balance of all bodies but robots. Steps that create energy
/// fail.
void StepMeasurement::evaluate_energy(const StepSolution& solution, const BodyEnergies& energies,
                                      StepRecord* r) {
  const Vec3d* v_hat = solution.v_hat;
  const std::int32_t n_row = data_.n_row(), first_robot = model_.system.layout().first_robot_row();
  double push_work_J = r->push_work_J;
  if (first_robot < n_row) {
    v_bodies_.assign(v_hat, v_hat + n_row);
    std::fill(v_bodies_.begin() + first_robot, v_bodies_.end(), Vec3d{});
    v_hat = v_bodies_.data();
    push_work_J = model_.external_forces.work_J(v_hat);
  }
  const EnvironmentContacts::Work contacts = data_.contacts.work(v_hat, n_row, data_.step_s);
  r->contact_work_J = contacts.work_J - model_.impacts.gravity_work_J();
  r->energy_gain_J = kNaN;
  if (model_.mounts.has_robots() || model_.attachments.has_robots()) return;
  EnergyTerms terms;
  terms.kinetic_J = r->kinetic_energy_J - energies.robots_kinetic_J;
  terms.robots_kinetic_J = energies.robots_kinetic_J;
  terms.gravity_J = -dot(model_.scene.gravity_m_s2, moment_of(model_.system, *data_.state));
  terms.elastic_J = r->potential_energy_J - energies.robots_potential_J - terms.gravity_J;
  terms.contact_work_J = r->contact_work_J;
  terms.contact_turnover_J = contacts.turnover_J;
  terms.frame_work_J = r->frame_work_J;
  terms.push_work_J = push_work_J;
  terms.mass_kg = mass_kg_;
  const SolveReport& report = solution.report;
  terms.error = std::isfinite(report.error_estimate)
                    ? report.error_estimate
                    : std::max(report.relative_residual, report.natural_map_error);
  terms.is_solved = report.status == SolveStatus::converged;
  bool creates_energy = false;
  r->energy_gain_J = model_.energy_watch.end_step(terms, &creates_energy);
  if (creates_energy && data_.rules.fails_if_energy_created) fail_if(reason_of_created_energy(), r);
}

FastestTurn StepMeasurement::fastest_turn() const {
  constexpr double kLeast = 0.1;  // [rad]
  const std::vector<BodyRange>& bodies = model_.system.layout().bodies();
  double largest = kLeast;
  std::size_t fastest = bodies.size();
  for (std::size_t k = 0, soft = 0; k < bodies.size(); ++k) {
    double angle = 0;
    if (bodies[k].kind == BodyKind::soft)
      angle = model_.system.soft_bodies().turn_rad(soft++);
    else if (bodies[k].kind == BodyKind::rigid)
      angle =
          data_.step_s * norm(data_.state->v[static_cast<std::size_t>(bodies[k].first_row) + 1]);
    if (!(angle > largest)) continue;
    largest = angle;
    fastest = k;
  }
  if (fastest == bodies.size()) return {};
  return {model_.overlap_watch.name(static_cast<std::int32_t>(fastest)), largest};
}

std::string StepMeasurement::reason_of_created_energy() const {
  const State& state = *data_.state;
  const std::vector<BodyRange>& bodies = model_.system.layout().bodies();
  std::size_t fastest = 0;
  double largest_J = -1;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    if (bodies[k].kind == BodyKind::robot) continue;
    double kinetic_J = 0;
    for (std::int32_t row = bodies[k].first_row; row < bodies[k].end_row(); ++row)
      kinetic_J += 0.5 * model_.system.mass()[static_cast<std::size_t>(row)] *
                   squared_norm(state.v[static_cast<std::size_t>(row)]);
    if (kinetic_J <= largest_J) continue;
    largest_J = kinetic_J;
    fastest = k;
  }
  const TimeOptions& time = model_.scene.time;
  std::string hint = "take a smaller time.step_s";
  if (time.theta < 1) hint += ", or time.theta = 1";
  return fmt::format(
      "energy_created: the bodies gained {:.3g} J in the last {} steps beyond the work of all "
      "forces; '{}' has most kinetic energy ({})",
      model_.energy_watch.gain_J(), model_.energy_watch.memory().steps.size(),
      model_.overlap_watch.name(static_cast<std::int32_t>(fastest)), hint);
}

void StepMeasurement::measure(const DeviceReport& on_device, StepRecord* record) {
  const SoftEnd& end = on_device.end;
  record->step = data_.state->step;
  record->time_s = data_.state->time_s;
  record->on_device = true;
  record->solve = on_device.solve;
  record->energy_error_J = on_device.solve.energy_error_J;
  record->n_contact = end.n_contact;
  record->n_stick = end.n_stick;
  record->n_slip = end.n_slip;
  record->sensors.clear();
  record->efforts.clear();
  record->limited_drives.clear();
  add_sensors(on_device.attachment_sums, &record->sensors);
  record->obstacle_force_N = end.obstacle_force_N;
  model_.finder->evaluate_from(*model_.obstacle_contacts(), on_device.depth, on_device.pair_depth,
                               &end_of_step_);
  evaluate_overlaps(record);
  record->push_work_J = 0;
  record->contact_work_J = record->energy_gain_J = kNaN;
  model_.energy_watch.interrupt();
  add_totals(on_device.attachment_sums, {end.kinetic_J, end.elastic_J + end.gravity_J}, record);
}

StepRecord StepMeasurement::failure_record() const {
  StepRecord record;
  record.step = data_.state->step + 1;
  record.time_s = data_.time_after(record.step);
  record.solve = not_a_number(data_.failure);
  record.energy_error_J = kNaN;
  set_nan(&record);
  return record;
}

/// Sets the values that a step without a finite end cannot have to NaN.
void StepMeasurement::set_nan(StepRecord* r) const {
  r->max_penetration_m = r->kinetic_energy_J = r->potential_energy_J = kNaN;
  r->frame_work_J = r->push_work_J = r->contact_work_J = r->energy_gain_J = kNaN;
  r->obstacle_force_N = r->attachment_force_N = {kNaN, kNaN, kNaN};
  r->efforts.assign(data_.state->q.size(), kNaN);
  r->limited_drives.clear();
  r->sensors.assign(sensor_names(model_.scene).size(), {{kNaN, kNaN, kNaN}, {kNaN, kNaN, kNaN}});
}

/// Adds the body with the largest error to the reason of an unsolved step.
void StepMeasurement::name_worst_body(StepRecord* r) const {
  SolveReport& solve = r->solve;
  if (solve.worst_body < 0 || solve.status == SolveStatus::converged) return;
  const auto worst = static_cast<std::size_t>(solve.worst_body);
  const std::int32_t row = model_.system.topology()->bodies[worst].first_row;
  const std::vector<BodyRange>& bodies = model_.system.layout().bodies();
  const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const BodyRange& range) {
    return range.n_row > 0 && range.first_row == row;
  });
  const auto number = static_cast<std::int32_t>(body - bodies.begin());
  solve.reason += fmt::format("{}'{}' has the largest error", solve.reason.empty() ? "" : "; ",
                              model_.overlap_watch.name(number));
}

/// Names the key that may cure a failed step with cables.
void StepMeasurement::name_key_of_cables(StepRecord* r) const {
  const bool fails =
      r->solve.status == SolveStatus::failed || r->solve.status == SolveStatus::diverged;
  if (fails && !model_.scene.cables.empty() && !model_.scene.time.geometric_stiffness)
    r->solve.reason += "; taut cables may need time.geometric_stiffness = true";
}

/// Reports the overlaps in end_of_step_. An overlap that no contact prevented is a failed solve.
void StepMeasurement::evaluate_overlaps(StepRecord* r) {
  r->max_penetration_m = 0;
  for (const ObjectOverlap& overlap : end_of_step_.overlaps)
    r->max_penetration_m = std::max(r->max_penetration_m, overlap.depth_m);
  model_.overlap_watch.end_step(end_of_step_.overlaps, &r->overlaps);
  if (!end_of_step_.missed.empty()) fail_if(text_of(end_of_step_.missed, model_.overlap_watch), r);
}

/// Sums forces, work and energy of attachments, and adds the energies of the bodies.
void StepMeasurement::add_totals(std::span<const AttachmentSums> attachment_sums,
                                 const BodyEnergies& bodies, StepRecord* r) const {
  AttachmentSums all;
  r->attachment_force_N = {};
  for (std::size_t k = 0; k < attachment_sums.size(); ++k) {
    all += attachment_sums[k];
    if (model_.scene.attachments[k].to.empty())
      r->attachment_force_N -= attachment_sums[k].force_N;  // on the bodies
  }
  r->frame_work_J = all.work_J;
  r->kinetic_energy_J = bodies.kinetic_J;
  r->potential_energy_J = bodies.potential_J + all.energy_J + model_.mounts.robot_mount_energy();
}

}  // namespace nodia
