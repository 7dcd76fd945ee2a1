#include "host/simulation/environment.hpp"

#include <algorithm>
#include <limits>

#include "host/errors/errors.hpp"
#include "host/simulation/contact_terms.hpp"
#include "kernels/assembly/assemble_row.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// Identity of a contact over time steps.
std::uint64_t contact_key(std::int32_t node, std::int32_t obstacle) {
  return (static_cast<std::uint64_t>(node) << 32) | static_cast<std::uint32_t>(obstacle);
}

bool all_finite(const Vec3d* a, std::size_t n) {
  return std::all_of(a, a + n, [](Vec3d v) { return is_finite(v); });
}

SolveReport not_a_number(const std::string& reason) {
  SolveReport report;
  report.status = SolveStatus::not_a_number;
  report.reason = reason;
  report.relative_residual = report.natural_map_error = kNaN;
  report.energy_error_J = report.certificate_J = kNaN;
  return report;
}

}  // namespace

Environment::Environment(Scene scene) : scene_(std::move(scene)) {
  scene_.validate();
  for (const SoftBodyDescription& body : scene_.soft_bodies) {
    const auto index = static_cast<std::int32_t>(body_first_node_.size());
    body_first_node_.push_back(model_.add_body(body.mesh, body.material));
    for (const Vec3d& p : body.mesh.nodes) {
      state_.x.push_back(body.pose.to_world(p));
      state_.v.push_back(body.velocity);
      body_of_node_.push_back(index);
    }
    for (const ObstacleDescription& obstacle : scene_.obstacles)
      friction_.push_back(scene_.friction_of(body, obstacle));
  }
  model_.finish();
  attachments_ = Attachments(scene_, body_first_node_, state_.x);
  for (const ObstacleDescription& obstacle : scene_.obstacles) shapes_.push_back(obstacle.shape);
}

void Environment::set_state(State state) {
  if (state.x.size() != state_.x.size() || state.v.size() != state_.v.size())
    throw_bad_value("state.x", static_cast<double>(state.x.size()),
                    "one entry per node of the environment", "");
  state_ = std::move(state);
  time_origin_s_ = state_.time_s - state_.step * scene_.time.step_s;
  v_hat_.clear();
  lambda_by_key_.clear();
  failed_ = false;
}

std::vector<Pose> Environment::obstacle_poses(double time_s) const {
  std::vector<Pose> poses;
  for (const ObstacleDescription& obstacle : scene_.obstacles)
    poses.push_back(obstacle.path.at(time_s));
  return poses;
}

void Environment::build(int n_thread, double* A_value, Vec3d* b) {
  contacts_.clear();
  contact_obstacle_.clear();
  if (!failed_) {
    assemble(n_thread, A_value, b);
    fault_ = all_finite(b, state_.x.size())
                 ? ""
                 : "the state before the step, or a force at it, is not finite";
  }
  if (failed_ || !fault_.empty()) {
    rest(A_value, b);
    return;
  }
  detect_contacts(n_thread);
  nodalize();
}

/// b without contacts, and A's values for this environment's rows.
void Environment::assemble(int n_thread, double* A_value, Vec3d* b) {
  const TimeOptions& time = scene_.time;
  const int n = model_.n_node();
  diagonal_.assign(n, 0.0);
  force_.assign(n, Vec3d{});
  attachments_.add_to_system(state_.time_s, time.step_s, time.theta, state_.x, &diagonal_, &force_);
  model_.assemble({state_.x.data(), time.step_s, time.theta, diagonal_.data(), n_thread}, A_value,
                  b);
  for (int i = 0; i < n; ++i) {
    b[i] = right_hand_side({time.step_s, time.theta}, model_.mass()[i], b[i], force_[i],
                           scene_.gravity_m_s2, state_.v[i]);
  }
}

/// The rows of an environment in which nothing moves.
void Environment::rest(double* A_value, Vec3d* b) const {
  const BlockPattern& pattern = *model_.pattern();
  std::fill(A_value, A_value + 9 * static_cast<std::ptrdiff_t>(pattern.n_block()), 0.0);
  for (int i = 0; i < model_.n_node(); ++i) {
    const double m = model_.mass()[i] / (scene_.time.theta * scene_.time.step_s);
    store_block(A_value + 9 * static_cast<std::ptrdiff_t>(pattern.diagonal[i]),
                m * Mat3d::identity());
    b[i] = {};
  }
}

void Environment::detect_contacts(int n_thread) {
  std::vector<ObstaclePose> obstacles;
  const std::vector<Pose> now = obstacle_poses(state_.time_s);
  const std::vector<Pose> next = obstacle_poses(state_.time_s + scene_.time.step_s);
  for (std::size_t o = 0; o < shapes_.size(); ++o)
    obstacles.push_back({shapes_[o], now[o], next[o]});
  detect(obstacles, state_.x.data(), state_.v.data(), model_.n_node(), scene_.contact.margin_m,
         scene_.time.step_s, n_thread, &pairs_);
}

/// Nodes are contact nodes already: every pair becomes an S-contact with the obstacle's surface.
void Environment::nodalize() {
  for (const ProximityPair& pair : pairs_) {
    const ObstacleDescription& obstacle = scene_.obstacles[pair.obstacle];
    const PairFriction& mu =
        friction_[body_of_node_[pair.node] * scene_.obstacles.size() + pair.obstacle];
    const Mat3d R = frame_from_normal(pair.normal);
    Contact<double> c;
    c.node_i = pair.node;
    c.R = R;
    c.phi = contact_phi(pair, R, state_.v[pair.node], obstacle.restitution, scene_.time,
                        scene_.contact);
    c.mu1 = mu.friction_1;
    c.mu2 = mu.friction_2;
    c.key = contact_key(pair.node, pair.obstacle);
    contacts_.push_back(c);
    contact_obstacle_.push_back(pair.obstacle);
  }
}

Vec3d Environment::warm_lambda(std::uint64_t key) const {
  const auto found =
      std::lower_bound(lambda_by_key_.begin(), lambda_by_key_.end(), key,
                       [](const auto& entry, std::uint64_t k) { return entry.first < k; });
  return found != lambda_by_key_.end() && found->first == key ? found->second : Vec3d{};
}

void Environment::put(std::int32_t first_node, Contact<double>* contacts, Vec3d* v,
                      Vec3d* lambda) const {
  for (const Contact<double>& contact : contacts_) {
    Contact<double>& c = *contacts++ = contact;
    c.node_i += first_node;
    *lambda++ = warm_lambda(c.key);
  }
  const std::vector<Vec3d>& start = v_hat_.empty() ? state_.v : v_hat_;
  if (failed_ || !fault_.empty())
    std::fill(v, v + start.size(), Vec3d{});
  else
    std::copy(start.begin(), start.end(), v);
}

void Environment::finish(const Answer& answer, StepRecord* record) {
  keep(answer);
  SolveReport report = fault_.empty() ? answer.report : not_a_number(fault_);
  if (report.status != SolveStatus::not_a_number && !advance(answer.v_hat)) {
    report.status = SolveStatus::not_a_number;
    report.reason = "positions or velocities at the end of the step are not finite";
  }
  failed_ = report.status == SolveStatus::not_a_number;
  record->step = state_.step + (failed_ ? 1 : 0);
  record->time_s = time_origin_s_ + record->step * scene_.time.step_s;
  record->solve = report;
  record->energy_error_J = report.energy_error_J;
  record->n_contact = n_contact();
  record->n_stick = static_cast<int>(
      std::count(contact_state_.begin(), contact_state_.end(), ContactState::stick));
  record->n_slip = static_cast<int>(
      std::count(contact_state_.begin(), contact_state_.end(), ContactState::slip));
  measure(record);
}

StepView Environment::view(const StepRecord& record) const {
  return {record, state_, contacts_, lambda_, contact_state_, contact_obstacle_};
}

/// Contacts and forces of the answer, for the record and for the next starting point.
void Environment::keep(const Answer& answer) {
  contacts_.assign(answer.contacts, answer.contacts + answer.n_contact);
  lambda_.assign(answer.lambda, answer.lambda + answer.n_contact);
  contact_state_.clear();
  lambda_by_key_.clear();
  for (std::size_t m = 0; m < contacts_.size(); ++m) {
    Contact<double>& c = contacts_[m];
    c.node_i -= answer.first_node;
    if (c.node_j != kWorld) c.node_j -= answer.first_node;
    contact_state_.push_back(nodia::contact_state(c, lambda_[m]));
    lambda_by_key_.emplace_back(c.key, lambda_[m]);
  }
  std::sort(lambda_by_key_.begin(), lambda_by_key_.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
}

/// v_next = (v_hat - (1-theta) v)/theta, q_next = q + t v_hat. @return whether they are finite; the
/// state is left as it was where they are not
bool Environment::advance(const Vec3d* v_hat) {
  const double theta = scene_.time.theta, t = scene_.time.step_s;
  const std::size_t n = state_.x.size();
  const auto next_v = [&](std::size_t i) {
    return (1 / theta) * (v_hat[i] - (1 - theta) * state_.v[i]);
  };
  const auto next_x = [&](std::size_t i) { return state_.x[i] + t * v_hat[i]; };
  for (std::size_t i = 0; i < n; ++i)
    if (!is_finite(next_v(i)) || !is_finite(next_x(i))) return false;
  for (std::size_t i = 0; i < n; ++i) {
    state_.v[i] = next_v(i);
    state_.x[i] = next_x(i);
  }
  v_hat_.assign(v_hat, v_hat + n);
  ++state_.step;
  state_.time_s = time_origin_s_ + state_.step * t;
  return true;
}

/// Forces and energies at the end of the step; NaN where it has none.
void Environment::measure(StepRecord* r) const {
  if (failed_) {
    r->max_penetration_m = r->kinetic_energy_J = r->potential_energy_J = kNaN;
    r->attachment_work_J = kNaN;
    r->obstacle_force_N = r->attachment_force_N = {kNaN, kNaN, kNaN};
    return;
  }
  const double t = scene_.time.step_s;
  r->obstacle_force_N = {};
  for (std::size_t m = 0; m < contacts_.size(); ++m)
    r->obstacle_force_N += transpose_times(contacts_[m].R, lambda_[m]);
  r->max_penetration_m =
      max_penetration(shapes_, obstacle_poses(state_.time_s), state_.x.data(), model_.n_node());
  const Attachments::Totals held = attachments_.totals(state_.time_s - t, state_.time_s, state_.x);
  r->attachment_force_N = held.force_N;
  r->attachment_work_J = held.work_J;
  double kinetic = 0, gravity = 0;
  for (std::size_t i = 0; i < state_.x.size(); ++i) {
    const double m = model_.mass()[i];
    kinetic += 0.5 * m * squared_norm(state_.v[i]);
    gravity -= m * dot(scene_.gravity_m_s2, state_.x[i]);
  }
  r->kinetic_energy_J = kinetic;
  r->potential_energy_J = model_.elastic_energy(state_.x.data()) + gravity + held.energy_J;
}

}  // namespace nodia
