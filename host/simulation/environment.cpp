#include "host/simulation/environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "host/errors/errors.hpp"
#include "host/scene/fingerprint.hpp"
#include "host/simulation/find_target.hpp"
#include "host/simulation/obstacle_force.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/over_items.hpp"

namespace nodia {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr const char* kNotFinite = "the state before the step, or a force at it, is not finite";

bool all_finite(const Vec3d* a, std::size_t n, int n_thread = 1) {
  return all_items(static_cast<int>(n), n_thread, [&](int i) { return is_finite(a[i]); });
}

bool is_zero(Vec3d a) {
  return a.x == 0 && a.y == 0 && a.z == 0;
}

SolveReport not_a_number(const std::string& reason) {
  SolveReport report;
  report.status = SolveStatus::not_a_number;
  report.reason = reason;
  report.relative_residual = report.natural_map_error = kNaN;
  report.energy_error_J = report.certificate_J = kNaN;
  return report;
}

/// What came through what: the deepest of every two objects.
std::string told(const std::vector<ObjectOverlap>& missed, const Objects& objects) {
  std::map<std::pair<std::int32_t, std::int32_t>, double> deepest;
  for (const ObjectOverlap& m : missed) {
    double& depth = deepest[std::minmax(m.i, m.j)];
    depth = std::max(depth, m.depth_m);
  }
  std::string text;
  for (const auto& [pair, depth] : deepest)
    text += fmt::format("{}'{}' came {:.3g} m into or through '{}'", text.empty() ? "" : ", ",
                        objects.name(pair.first), depth, objects.name(pair.second));
  return text +
         " without a contact in the step's problem (take a smaller time.step_s or a larger "
         "contact.margin_m)";
}

/// On what they hold.
void add_sensors(std::span<const HoldSums> holds, std::vector<Wrench>* sensors) {
  for (const HoldSums& one : holds) sensors->push_back({one.force_N, one.torque_Nm});
}

Scene validated(Scene scene) {
  scene.validate();
  return scene;
}

}  // namespace

Environment::Environment(Scene scene, TopologyPool* pool)
    : scene_(validated(std::move(scene))),
      system_(scene_),
      commands_(scene_, system_),
      overlap_watch_(scene_) {
  state_ = std::make_shared<State>(system_.initial_state());
  mounts_ = Mounts(scene_, commands_.targets().mounts, &system_);
  attachments_ = Attachments(scene_, commands_.targets().attachments, system_, state_->x);
  held_nodes_ = attachments_.nodes();
  diagonal_.assign(state_->x.size(), 0.0);
  force_.assign(state_->x.size(), Vec3d{});
  force_sensors_ = ForceSensors(scene_, system_);
  Couplings couplings = mounts_.couplings(system_);
  for (const auto& pair : attachments_.couplings()) couplings.push_back(pair);
  system_.fix_topology(couplings, pool);
  pushes_ = Pushes(scene_, system_);
  finder_ = std::make_unique<ContactFinder>(scene_, commands_.targets().obstacles, system_);
  watch_start();
}

/// Looks for overlaps of the state that steps start from.
void Environment::watch_start() {
  system_.update_kinematics(*state_);
  std::vector<ObjectOverlap> overlaps;
  finder_->find_overlaps(*state_, system_, &overlaps);
  overlap_watch_.start(overlaps);
}

std::vector<Pose> Environment::link_poses() const {
  std::vector<Pose> poses;
  for (int r = 0; r < system_.robots().size(); ++r) {
    const std::vector<Pose>& links = system_.robots().model(r).link_poses();
    poses.insert(poses.end(), links.begin(), links.end());
  }
  return poses;
}

std::vector<Pose> Environment::obstacle_poses() const {
  std::vector<Pose> poses;
  for (const Path& path : commands_.targets().obstacles) poses.push_back(path.at(state_->time_s));
  return poses;
}

void Environment::set_state(State state) {
  const auto same = [](const auto& a, const auto& b) { return a.size() == b.size(); };
  if (!same(state.x, state_->x) || !same(state.v, state_->v) ||
      !same(state.frames, state_->frames) || !same(state.q, state_->q))
    throw_bad_value("state", static_cast<double>(state.v.size()),
                    "positions, frames, coordinates and velocities of the environment's bodies",
                    "");
  state_ = std::make_shared<State>(std::move(state));
  holder_ = nullptr;
  time_origin_s_ = state_->time_s - state_->step * scene_.time.step_s;
  guess_.clear();
  failed_ = false;
  commands_.clear_fault();
  watch_start();
}

void Environment::set_holding(const std::string& attachment, bool holds) {
  const std::size_t k = find_attachment(scene_, attachment);
  if (holds && !attachments_.holds(k, state_->time_s)) {
    ask_for_end();
    system_.update_kinematics(*state_);
    attachments_.take_hold(k, *state_, system_);
  }
  commands_.targets().attachments[k].holds = holds;
}

Checkpoint Environment::save() const {
  ask_for_end();
  Checkpoint c;
  c.scene = fingerprint(scene_);
  c.state = *state_;
  c.time_origin_s = time_origin_s_;
  c.failed = failed_;
  c.reason = failed_ ? failure_ : commands_.fault();
  c.targets = commands_.targets();
  c.places = attachments_.places();
  c.overlaps = overlap_watch_.memory();
  c.v_hat = guess_.v_hat;
  for (const auto& [key, lambda] : guess_.force_by_key) {
    c.lambda_keys.push_back(key);
    c.lambda.push_back(lambda);
  }
  return c;
}

void Environment::load(const Checkpoint& c) {
  if (c.scene != fingerprint(scene_))
    throw InputError(fmt::format(
        "checkpoint (must be of the same scene as '{}', but is of another: load it where the scene "
        "is what it was, meshes and drawn values included)",
        scene_.name));
  state_ = std::make_shared<State>(c.state);
  holder_ = nullptr;
  time_origin_s_ = c.time_origin_s;
  failed_ = c.failed;
  failure_ = c.failed ? c.reason : "";
  commands_.set_fault(c.failed ? "" : c.reason);
  commands_.targets() = c.targets;
  attachments_.set_places(c.places);
  overlap_watch_.set_memory(c.overlaps);
  guess_.clear();
  guess_.v_hat = c.v_hat;
  for (std::size_t m = 0; m < c.lambda.size(); ++m)
    guess_.force_by_key.emplace_back(c.lambda_keys[m], c.lambda[m]);
  system_.update_kinematics(*state_);
}

StepRecord Environment::record_of_failure() const {
  StepRecord record;
  record.step = state_->step + 1;
  record.time_s = time_after(record.step);
  record.solve = not_a_number(failure_);
  record.energy_error_J = kNaN;
  set_nothing(&record);
  return record;
}

/// The clock after so many steps.
double Environment::time_after(int step) const {
  return time_origin_s_ + step * scene_.time.step_s;
}

void Environment::begin_step(int n_thread) {
  n_thread_ = n_thread;
  found_.clear();
  solver_makes_contacts_ = false;
  if (failed_) return;
  system_.update_kinematics(*state_);
  mounts_.prepare(*state_, system_);
  pushes_.begin_step(*state_, time_after(state_->step + 1), system_);
  if (!is_left()) set_loads();
}

void Environment::build(int n_thread, double* A_value, Vec3d* b) {
  begin_step(n_thread);
  if (!failed_) {
    assemble(n_thread, A_value, b);
    fault_ = commands_.fault();
    if (fault_.empty() && !all_finite(b, state_->v.size(), n_thread)) fault_ = kNotFinite;
  }
  if (failed_ || !fault_.empty()) {
    rest(A_value, b);
    return;
  }
  free_motion_.update(system_, *state_, pushes_, n_thread, A_value, b);
  finder_->begin(*state_, system_, free_motion_.v());
}

ProximitySearch* Environment::search() {
  return failed_ || !fault_.empty() ? nullptr : &finder_->search();
}

void Environment::find_contacts(const std::vector<VertexHit>* hits) {
  if (!failed_ && fault_.empty()) finder_->finish(*state_, system_, n_thread_, hits, &found_);
}

/// What A and b of soft nodes are made of. A state that is the solver's was found finite there;
/// what attachments make of it is found out with the answer.
bool Environment::is_input_finite() const {
  const auto finite = [&](const std::vector<Vec3d>& a) {
    return all_finite(a.data(), a.size(), n_thread_);
  };
  const std::vector<Vec3d>* push = pushes_.force();
  return (is_left() || (finite(state_->x) && finite(state_->v) && are_loads_finite())) &&
         (push == nullptr || finite(*push));
}

bool Environment::are_loads_finite() const {
  return std::all_of(held_nodes_.begin(), held_nodes_.end(), [this](std::int32_t i) {
    return is_finite(force_[i]) && std::isfinite(diagonal_[i]);
  });
}

const std::shared_ptr<const ObstacleContacts>& Environment::obstacle_contacts() {
  if (!obstacle_contacts_) obstacle_contacts_ = finder_->obstacle_contacts(system_);
  return *obstacle_contacts_;
}

void Environment::prepare(int n_thread, bool finds_contacts, double* A_value, Vec3d* b) {
  if (finds_contacts) {
    build(n_thread, A_value, b);
    find_contacts(nullptr);
    solver_makes_contacts_ = !failed_ && fault_.empty();
    return;
  }
  begin_step(n_thread);
  if (!failed_) {
    fault_ = commands_.fault();
    if (fault_.empty() && !is_input_finite()) fault_ = kNotFinite;
  }
  solver_makes_contacts_ = !failed_ && fault_.empty();
  if (!solver_makes_contacts_) rest(A_value, b);
}

void Environment::describe_all(SoftSource* source) {
  describe(source);
  ObstacleStep& step = source->obstacles;
  step.forces.clear();
  step.pair_forces.clear();
  step.contacts = obstacle_contacts();
  step.rests = !solver_makes_contacts_;
  if (step.rests) return;
  finder_->obstacle_motions(*state_, system_, &step.obstacle);
  step.starts_from_last = guess_.solver_has_forces;
  if (guess_.solver_has_forces) return;
  finder_->by_place(*step.contacts, guess_.force_by_key, &step.forces);
  step.pair_forces = guess_.pair_forces;
}

bool Environment::can_be_ahead(int k) const {
  return is_left() && solver_makes_contacts_ && scene_.pushes.empty() &&
         attachments_.rest(state_->time_s, time_after(state_->step + k),
                           time_after(state_->step + k + 1));
}

std::span<const ObstacleMotion> Environment::obstacles_ahead(int k) {
  finder_->obstacle_motions_at(time_after(state_->step + k), &obstacles_ahead_);
  return obstacles_ahead_;
}

/// Where the step began, as the solver knows it.
void Environment::set_start(const Found& found) {
  own_state();
  std::copy_n(found.x, state_->x.size(), state_->x.begin());
  std::copy_n(found.v, state_->v.size(), state_->v.begin());
}

void Environment::take_start(const Found& found) {
  if (is_left()) {
    set_start(found);
    set_loads();
    if (!are_loads_finite()) fault_ = kNotFinite;
  }
  holder_ = nullptr;
  solver_makes_contacts_ = solver_makes_contacts_ && fault_.empty();
  if (solver_makes_contacts_)
    finder_->take(*state_, system_, found.near, found.pairs, n_thread_, &found_);
}

void Environment::take_end(const Found& found, const Vec3d* v_hat, const Vec3d* lambda) {
  const int step = std::exchange(state_->step, left_start_);
  const double time_s = std::exchange(state_->time_s, left_start_s_);
  set_start(found);
  finder_->take(*state_, system_, found.near, found.pairs, n_thread_, &found_);
  keep_forces(lambda);
  set_slip_velocities(v_hat);
  system_.advance(v_hat, n_thread_, state_.get());
  guess_.v_hat.assign(v_hat, v_hat + state_->v.size());
  state_->step = step;
  state_->time_s = time_s;
  holder_ = nullptr;
}

void Environment::take_back(const Found& found, const Vec3d* v_hat, const Vec3d* lambda) {
  set_start(found);
  guess_.v_hat.assign(v_hat, v_hat + state_->v.size());
  std::vector<std::uint64_t> keys;
  finder_->keys_of(found.near, found.pairs, *obstacle_contacts(), &keys);
  guess_.clear_forces();
  for (const std::uint64_t key : keys) guess_.force_by_key.emplace_back(key, *lambda++);
  guess_.sort_forces();
  guess_.solver_has_forces = false;
  holder_ = nullptr;
}

bool Environment::has_near_surfaces() const {
  return std::any_of(found_.pairs.begin(), found_.pairs.end(),
                     [](const SurfacePair& pair) { return pair.rule != PairRule::node; });
}

bool Environment::detect(int n_thread) {
  n_thread_ = n_thread;
  found_.clear();
  fault_ = commands_.fault();
  if (fault_.empty() && !(all_finite(state_->v.data(), state_->v.size()) &&
                          all_finite(state_->x.data(), state_->x.size())))
    fault_ = "the state before the step is not finite";
  if (!fault_.empty()) return false;
  mounts_.prepare(*state_, system_);
  pushes_.begin_step(*state_, time_after(state_->step + 1), system_);
  free_motion_.fall(system_, *state_, pushes_);
  finder_->find(*state_, system_, free_motion_.v(), n_thread, &found_);
  return true;
}

void Environment::describe(SoftSource* source) const {
  source->model = nullptr;
  source->obstacles.contacts = nullptr;
  source->holds.holds = nullptr;
  source->pushes.clear();
  source->others.clear();
  if (failed_ || !fault_.empty()) return;  // it rests
  source->model = &system_.soft();
  source->is_left = is_left();
  source->x = is_left() ? nullptr : state_->x.data();
  source->v = is_left() ? nullptr : state_->v.data();
  source->gravity = scene_.gravity_m_s2;
  attachments_.add_nodes_on_robots(*state_, &source->others);
  attachments_.describe(*state_, time_after(state_->step + 1), &source->holds);
  const std::vector<Vec3d>* push = pushes_.force();
  for (std::int32_t i = 0; push != nullptr && i < system_.soft().n_node(); ++i)
    if (!is_zero((*push)[i])) source->pushes.push_back({i, (*push)[i]});
}

/// Of the attachments, on nodes.
void Environment::set_loads() {
  for (const std::int32_t i : held_nodes_) {
    diagonal_[i] = 0;
    force_[i] = {};
  }
  attachments_.add_to_nodes(*state_, &diagonal_, &force_);
}

/// b without contacts, and A's values for this environment's rows.
void Environment::assemble(int n_thread, double* A_value, Vec3d* b) {
  system_.assemble({*state_, commands_.targets(), diagonal_, force_, n_thread, pushes_.force()},
                   A_value, b);
  mounts_.add_to_system(A_value, b);
  attachments_.add_to_system(*state_, system_, A_value, b);
}

/// The rows of an environment in which nothing moves.
void Environment::rest(double* A_value, Vec3d* b) const {
  const BlockPattern& pattern = *system_.pattern();
  std::fill(A_value, A_value + 9 * static_cast<std::ptrdiff_t>(pattern.n_block()), 0.0);
  for (int i = 0; i < pattern.n_row(); ++i) {
    const double m = scene_.time.mass_rate(system_.mass()[i]);
    store_block(A_value + 9 * static_cast<std::ptrdiff_t>(pattern.diagonal[i]),
                m * Mat3d::identity());
    b[i] = {};
  }
}

void Environment::put_contacts(std::int32_t first_row, std::int32_t first_point,
                               Contact<double>* contacts) const {
  const auto n_row = static_cast<std::int32_t>(state_->v.size());
  const auto merged = [&](std::int32_t side) {
    return side < n_row ? side + first_row : side - n_row + first_point;
  };
  for (const Contact<double>& contact : found_.contacts) {
    Contact<double>& c = *contacts++ = contact;
    c.side_i = merged(c.side_i);
    if (c.side_j != kWorld) c.side_j = merged(c.side_j);
  }
}

void Environment::put_forces(Vec3d* lambda) const {
  for (const Contact<double>& c : found_.contacts) *lambda++ = guess_.force(c.key);
}

void Environment::put_velocities(Vec3d* v) const {
  const std::vector<Vec3d>& start = guess_.v_hat.empty() ? state_->v : guess_.v_hat;
  if (failed_ || !fault_.empty())
    std::fill(v, v + start.size(), Vec3d{});
  else
    std::copy(start.begin(), start.end(), v);
}

void Environment::finish(const Answer& answer, StepRecord* record) {
  keep(answer);
  SolveReport report = fault_.empty() ? answer.report : not_a_number(fault_);
  robot_sensors_.clear();
  if (report.status != SolveStatus::not_a_number)
    force_sensors_.measure({*state_, answer.v_hat, found_, lambda_, mounts_, attachments_, pushes_},
                           system_, &robot_sensors_);
  // What sensors of frames need of the step's start; soft nodes have none.
  State start;
  start.frames = state_->frames;
  start.time_s = state_->time_s;
  if (report.status != SolveStatus::not_a_number && !advance(answer)) {
    report.status = SolveStatus::not_a_number;
    report.reason = "positions or velocities at the end of the step are not finite";
  }
  failed_ = report.status == SolveStatus::not_a_number;
  failure_ = failed_ ? report.reason : "";
  commands_.clear_fault();
  if (!failed_) {
    guess_.v_hat.assign(answer.v_hat, answer.v_hat + state_->v.size());
    go_on();
  }
  record->step = state_->step + (failed_ ? 1 : 0);
  record->time_s = time_after(record->step);
  record->on_device = false;
  record->solve = report;
  record->energy_error_J = report.energy_error_J;
  record->n_contact = n_contact();
  record->n_stick = static_cast<int>(
      std::count(contact_state_.begin(), contact_state_.end(), ContactState::stick));
  record->n_slip = static_cast<int>(
      std::count(contact_state_.begin(), contact_state_.end(), ContactState::slip));
  measure(start, answer, record);
}

bool Environment::leave(const Left& left, StepRecord* record) {
  if (!fault_.empty() || !scene_.pushes.empty() ||
      left.report.status == SolveStatus::not_a_number || !left.end.is_reached)
    return false;
  own_state();
  left_start_s_ = state_->time_s;
  left_start_ = state_->step;
  guess_.solver_has_forces = true;
  holder_ = left.holder;
  place_ = left.place;
  go_on();
  record->step = state_->step;
  record->time_s = state_->time_s;
  record->on_device = true;
  record->solve = left.report;
  record->energy_error_J = left.report.energy_error_J;
  record->n_contact = left.end.n_contact;
  record->n_stick = left.end.n_stick;
  record->n_slip = left.end.n_slip;
  record->sensors.clear();
  add_sensors(left.holds, &record->sensors);
  record->obstacle_force_N = left.end.obstacle_force_N;
  finder_->judge_from(*obstacle_contacts(), left.depth, left.pair_depth, &end_of_step_);
  judge_end(record);
  record->push_work_J = 0;
  add_totals(left.holds, {left.end.kinetic_J, left.end.elastic_J + left.end.gravity_J}, record);
  return true;
}

/// To the time at the end of a step.
void Environment::go_on() {
  ++state_->step;
  state_->time_s = time_after(state_->step);
}

void Environment::own_state() {
  if (state_.use_count() > 1) state_ = std::make_shared<State>(*state_);
}

bool Environment::advance(const Answer& answer) {
  own_state();
  if (!answer.end) return system_.advance(answer.v_hat, n_thread_, state_.get());
  const State& end = answer.end->state;
  const bool finite = all_finite(end.x.data(), end.x.size()) &&
                      all_finite(end.v.data(), end.v.size()) &&
                      std::all_of(end.frames.begin(), end.frames.end(), [](const FramePose& f) {
                        const Quaternion q = f.orientation;
                        return is_finite(f.position) && std::isfinite(q.w + q.x + q.y + q.z);
                      });
  if (finite) *state_ = end;
  return finite;
}

StepView Environment::view(const StepRecord& record) const {
  return {record, system_.layout(), *this, link_poses(), obstacle_poses(), attachment_poses()};
}

StepContactsView Environment::contacts() const {
  ask_for_end();
  return {found_.contacts, lambda_, contact_state_, found_.sides};
}

/// Contacts and forces of the answer, for the record and for the next starting point.
void Environment::keep(const Answer& answer) {
  if (answer.contacts != nullptr) {
    found_.contacts.assign(answer.contacts, answer.contacts + answer.n_contact);
    const auto n_row = static_cast<std::int32_t>(state_->v.size());
    const auto own = [&](std::int32_t side) {
      return side >= answer.first_point ? side - answer.first_point + n_row
                                        : side - answer.first_row;
    };
    for (Contact<double>& c : found_.contacts) {
      c.side_i = own(c.side_i);
      if (c.side_j != kWorld) c.side_j = own(c.side_j);
    }
  }
  keep_forces(answer.lambda);
  guess_.solver_has_forces = solver_makes_contacts_;
}

/// @param lambda  one a contact
void Environment::keep_forces(const Vec3d* lambda) {
  lambda_.assign(lambda, lambda + found_.contacts.size());
  contact_state_.clear();
  guess_.clear_forces();
  const bool may_be_left = obstacle_contacts_ && *obstacle_contacts_ != nullptr;
  for (std::size_t m = 0; m < found_.contacts.size(); ++m) {
    const Contact<double>& c = found_.contacts[m];
    contact_state_.push_back(nodia::contact_state(c, lambda_[m]));
    guess_.force_by_key.emplace_back(c.key, lambda_[m]);
    const SurfacePair& p = found_.pairs[m];
    if (may_be_left && p.rule != PairRule::node)
      guess_.pair_forces.push_back(
          {{p.surface_i, p.surface_j, p.feature_i, p.rule == PairRule::edge ? p.feature_j : -1},
           lambda_[m]});
  }
  guess_.sort_forces();
}

/// Of a step that has no end.
void Environment::set_nothing(StepRecord* r) const {
  r->max_penetration_m = r->kinetic_energy_J = r->potential_energy_J = kNaN;
  r->attachment_work_J = r->push_work_J = kNaN;
  r->obstacle_force_N = r->attachment_force_N = {kNaN, kNaN, kNaN};
  r->sensors.assign(sensor_names(scene_).size(), {{kNaN, kNaN, kNaN}, {kNaN, kNaN, kNaN}});
}

/// Forces and energies of the step and at its end; NaN where it has none.
void Environment::measure(const State& start, const Answer& answer, StepRecord* r) {
  const Vec3d* v_hat = answer.v_hat;
  r->sensors.clear();
  r->overlaps.clear();
  if (failed_) return set_nothing(r);
  if (answer.end)
    mounts_.measure(start.time_s, answer.end->joint_loads, &r->sensors);
  else
    mounts_.measure(start, v_hat, &r->sensors);
  system_.update_kinematics(*state_);
  const std::vector<HoldSums> holds = attachments_.sums(start.time_s, *state_, system_);
  add_sensors(holds, &r->sensors);
  r->sensors.insert(r->sensors.end(), robot_sensors_.begin(), robot_sensors_.end());

  r->obstacle_force_N = obstacle_force(found_.contacts, lambda_, n_thread_, &force_on_side_);
  set_slip_velocities(v_hat);
  finder_->judge(*state_, system_, found_, carried_gap_m_, &end_of_step_);
  judge_end(r);
  r->push_work_J = pushes_.work_J(v_hat);
  add_totals(holds, system_.energies(*state_, n_thread_), r);
}

/// Of the contacts, and the gaps that they carry on.
void Environment::set_slip_velocities(const Vec3d* v_hat) {
  const double t = scene_.time.step_s;
  const auto n_row = static_cast<std::int32_t>(state_->v.size());
  const auto velocity = [&](std::int32_t side) {
    return side < n_row ? v_hat[side] : found_.points.velocity(side - n_row, v_hat);
  };
  carried_gap_m_.clear();
  for (std::size_t m = 0; m < found_.contacts.size(); ++m) {
    const Contact<double>& c = found_.contacts[m];
    Vec3d relative = velocity(c.side_i);
    if (c.side_j != kWorld) relative -= velocity(c.side_j);
    relative -= found_.pairs[m].surface_velocity;
    const Vec3d u = c.R * relative;
    found_.sides[m].slip_velocity = transpose_times(c.R, Vec3d{0, u.y, u.z});
    carried_gap_m_.push_back(found_.pairs[m].gap_m + t * u.x);
  }
}

/// What end_of_step_ is to the record.
void Environment::judge_end(StepRecord* r) {
  r->max_penetration_m = 0;
  for (const ObjectOverlap& overlap : end_of_step_.overlaps)
    r->max_penetration_m = std::max(r->max_penetration_m, overlap.depth_m);
  overlap_watch_.end_step(end_of_step_.overlaps, &r->overlaps);
  if (end_of_step_.missed.empty()) return;
  r->solve.status = SolveStatus::failed;
  r->solve.reason = told(end_of_step_.missed, overlap_watch_.objects());
}

/// Forces, work and energy of attachments, and energies of the bodies at the end of the step.
void Environment::add_totals(std::span<const HoldSums> holds, const BodyEnergies& bodies,
                             StepRecord* r) const {
  HoldSums all;
  for (const HoldSums& one : holds) all += one;
  r->attachment_force_N = Vec3d{} - all.force_N;  // on the bodies
  r->attachment_work_J = all.work_J;
  r->kinetic_energy_J = bodies.kinetic_J;
  r->potential_energy_J = bodies.potential_J + all.energy_J + mounts_.robot_mount_energy();
}

}  // namespace nodia
