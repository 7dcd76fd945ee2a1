#include "host/simulation/impacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/simulation/contact_finder.hpp"
#include "host/simulation/contact_rules.hpp"
#include "kernels/contact/contact_state.hpp"
#include "kernels/elements/rigid_body.hpp"

namespace nodia {
namespace {

/// Calls visit(row, J, sign) for the rows that move the sides of contact m.
template <class Visit>
void for_rows(const StepContacts& found, std::size_t m, std::int32_t n_row, const Visit& visit) {
  const Contact<double>& c = found.contacts[m];
  const auto side = [&](std::int32_t s, double sign) {
    if (s == kWorld) return;
    if (s < n_row) return visit(s, Mat3d::identity(), sign);
    const std::int32_t k = s - n_row;
    for (std::int32_t e = found.points.begin[k]; e < found.points.begin[k + 1]; ++e)
      visit(found.points.row[e], found.points.J[e], sign);
  };
  side(c.side_i, 1);
  side(c.side_j, -1);
}

/// Turns a body by `rotation` with constant angular momentum. The rotation is corrected along the
/// gradient of the kinetic energy so that this is what it would be with the inertia at the start:
/// then the impulses do no other work than that of the contact law.
/// @param start  orientation at the start of the step
void turn(const Mat3d& inertia, Quaternion start, Vec3d rotation, Quaternion* q, Vec3d* omega) {
  const Mat3d compliance = inverse(inertia);
  const Vec3d L = rotate(*q, inertia * inverse_rotate(*q, *omega)),
              at_start = inverse_rotate(start, L);
  const double energy = dot(at_start, compliance * at_start);
  Vec3d step = rotation;
  constexpr int kIterations = 8;
  constexpr double kLargest = 0.3;  // correction [rad]
  for (int k = 0; k < kIterations; ++k) {
    *q = turned(*q, step, 1);
    *omega = rotate(*q, compliance * inverse_rotate(*q, L));
    const Vec3d gradient = 2.0 * cross(*omega, L);
    const double excess = dot(L, *omega) - energy, squared = squared_norm(gradient);
    if (!(std::fabs(excess) > 1e-12 * energy) || !(squared > 0)) return;
    step = (-excess / squared) * gradient;
    if (const double angle = norm(step); angle > kLargest) step = (kLargest / angle) * step;
  }
}

}  // namespace

Impacts::Impacts(const Scene& scene, BodySystem* system)
    : scene_(scene), system_(*system), is_free_(system->layout().n_row(), 0) {
  const auto set = [&](const BodyRange& body, char is_free) {
    std::fill_n(is_free_.begin() + body.first_row, body.n_row, is_free);
  };
  for (const BodyRange& body : system_.layout().bodies())
    if (body.kind == BodyKind::rigid) set(body, 1);
  const auto set_held = [&](const std::string& body) {
    if (!body.empty()) set(system_.layout()[system_.objects().find(body)], 0);
  };
  for (const MountDescription& mount : scene.mounts) {
    set_held(mount.body);
    set_held(mount.to);
  }
}

/// True if contact m is between free bodies, or one and an obstacle.
bool Impacts::is_between_free(const StepContacts& found, std::size_t m) const {
  const Contact<double>& c = found.contacts[m];
  const std::int32_t n_row = system_.layout().n_row();
  const auto is_free_side = [&](std::int32_t side) {
    return side == kWorld ||
           (side >= n_row && is_free(found.points.row[found.points.begin[side - n_row]]));
  };
  return is_free_side(c.side_i) && is_free_side(c.side_j);
}

/// Sets phi_n of contact m. @param phi  relative to the surface of an obstacle [m/s]
void Impacts::set_phi(std::size_t m, double phi, StepContacts* out) {
  const SurfacePair& pair = out->pairs[m];
  Contact<double>& c = out->contacts[m];
  phi -= dot(c.R.row[0], pair.surface_velocity);
  c.phi.x = pair.gap_m < 0 ? std::min(phi, c.phi.x) : phi;
}

double Impacts::normal_velocity(const StepContacts& found, std::size_t m, const Vec3d* v) const {
  return dot(found.contacts[m].R.row[0], found.relative_velocity(m, v, system_.layout().n_row()));
}

Approach Impacts::approach(const State& state, const StepContacts& found, std::size_t m) const {
  return {found.pairs[m].gap_m, normal_velocity(found, m, state.v.data()),
          normal_velocity(found, m, v_fall_.data())};
}

void Impacts::set_laws(const State& state, const std::vector<Vec3d>& v_free, StepContacts* out) {
  if (out->impacts.empty()) return;
  set_inverse_mass(state);
  // The free change of angular velocity does no work, so that the law of a rebound excludes it.
  v_fall_ = v_free;
  for (std::int32_t f = 0; f < system_.layout().n_frame(); ++f) {
    const auto angular = static_cast<std::size_t>(system_.layout().frame_row(f)) + 1;
    v_fall_[angular] = state.v[angular];
  }
  const RowImpacts of_row = find_rebounds(state, out);
  std::vector<char> rebounds(out->contacts.size(), 0);
  for (Impact& impact : out->impacts) {
    rebounds[static_cast<std::size_t>(impact.contact)] = 1;
    set_rebound(state, v_free, of_row, &impact, out);
  }
  for (std::size_t m = 0; !of_row.empty() && m < out->contacts.size(); ++m)
    if (rebounds[m] == 0) add_follower(state, v_free, of_row, m, out);
}

/// Sets phi_n without restitution, and keeps the contacts that rebound with their restitution.
Impacts::RowImpacts Impacts::find_rebounds(const State& state, StepContacts* out) const {
  RowImpacts of_row;
  std::size_t n_kept = 0;
  for (Impact impact : out->impacts) {
    const auto m = static_cast<std::size_t>(impact.contact);
    if (!is_between_free(*out, m)) continue;
    Contact<double>& c = out->contacts[m];
    const SurfacePair& pair = out->pairs[m];
    const Vec3d velocity = out->row_velocity(m, state.v.data(), system_.layout().n_row());
    c.phi.x = contact_phi({pair.gap_m, velocity, pair.surface_velocity}, c.R, 0,
                          contact_times(scene_.time, scene_.contact))
                  .x;
    const Approach a = approach(state, *out, m);
    if (!(-a.velocity_m_s > scene_.contact.rest_speed_m_s)) continue;
    const std::optional<Rebound> found = rebound(a, impact.restitution, scene_.time);
    if (!found) continue;
    impact.delay_s = found->delay_s;
    out->impacts[n_kept++] = impact;
    for_rows(*out, m, system_.layout().n_row(), [&](std::int32_t row, const Mat3d&, double) {
      auto& [least, n] = of_row.try_emplace(row, impact.delay_s, 0).first->second;
      least = std::min(least, impact.delay_s);
      ++n;
    });
  }
  out->impacts.resize(n_kept);
  return of_row;
}

/// Sets phi_n of a rebound. With the bound on its restitution, the points may touch again within
/// the step: then phi_n stays that without restitution, and the impulse is not delayed.
void Impacts::set_rebound(const State& state, const std::vector<Vec3d>& v_free,
                          const RowImpacts& of_row, Impact* impact, StepContacts* out) const {
  const auto m = static_cast<std::size_t>(impact->contact);
  const std::int32_t n_row = system_.layout().n_row();
  const Approach a = approach(state, *out, m);
  bool is_alone = true;
  for_rows(*out, m, n_row, [&](std::int32_t row, const Mat3d&, double) {
    is_alone = is_alone && of_row.at(row).second == 1;
  });
  if (is_alone) {
    const Contact<double>& c = out->contacts[m];
    Vec3d u = c.R * out->relative_velocity(m, v_fall_.data(), n_row);
    u.x = -touch_speed(a, scene_.time);
    const Mat3d W = c.R * compliance(*out, m) * transpose(c.R);
    impact->restitution = passive_restitution(W, u, impact->restitution, c.mu1, c.mu2);
  }
  if (const auto found = rebound(a, impact->restitution, scene_.time))
    set_phi(m, found->phi_m_s - (normal_velocity(*out, m, v_free.data()) - a.free_m_s), out);
  else
    impact->delay_s = 0;
}

/// Adds contact m to the impacts if its bodies have one and it would not close without their
/// impulses: then these act before its own force.
void Impacts::add_follower(const State& state, const std::vector<Vec3d>& v_free,
                           const RowImpacts& of_row, std::size_t m, StepContacts* out) const {
  const TimeStep& time = scene_.time;
  const double free_m_s = normal_velocity(*out, m, v_free.data());
  const double free_gap_m = out->pairs[m].gap_m + time.step_s * free_m_s;
  if (!(free_gap_m > 0) || !is_between_free(*out, m)) return;
  double delay_s = std::numeric_limits<double>::infinity();
  for_rows(*out, m, system_.layout().n_row(), [&](std::int32_t row, const Mat3d&, double) {
    const auto found = of_row.find(row);
    if (found != of_row.end()) delay_s = std::min(delay_s, found->second.first);
  });
  if (!std::isfinite(delay_s)) return;
  const double rest_s = std::max(time.theta_t() - delay_s, 1e-2 * time.step_s);
  const double lands = time.theta * free_gap_m / rest_s - free_m_s;
  // A point that leaves the surface returns at most with its own speed, else the contact force
  // would do positive work.
  set_phi(m, std::max(lands, (2 * time.theta - 1) * normal_velocity(*out, m, state.v.data())), out);
  out->impacts.push_back({static_cast<std::int32_t>(m), 0, delay_s});
}

/// Sets M^-1 of the free rows at the start of the step.
void Impacts::set_inverse_mass(const State& state) {
  inverse_mass_.assign(is_free_.size(), Mat3d{});
  const BodyLayout& layout = system_.layout();
  for (std::int32_t f = 0; f < layout.n_frame(); ++f) {
    const std::int32_t row = layout.frame_row(f);
    if (!is_free(row)) continue;
    const FrameModel& frames = system_.frames().model();
    const Mat3d R = rotation_matrix(state.frames[static_cast<std::size_t>(f)].orientation);
    inverse_mass_[row] = (1 / frames.mass_kg(f)) * Mat3d::identity();
    inverse_mass_[row + 1] = inverse(world_inertia(R, frames.inertia_body(f)));
  }
}

void Impacts::set_shift(const StepContacts& found, const Vec3d* v_hat, const Vec3d* lambda) {
  has_shift_ = !found.impacts.empty() && !inverse_mass_.empty();
  if (!has_shift_) return;
  shift_.assign(is_free_.size(), Vec3d{});
  std::vector<char> rebounds(found.contacts.size(), 0);
  for (const Impact& impact : found.impacts) {
    const auto m = static_cast<std::size_t>(impact.contact);
    rebounds[m] = 1;
    const double delayed = -impact.delay_s * scene_.time.step_s;
    add_impulse(found, m, delayed * transpose_times(found.contacts[m].R, lambda[m]));
  }
  std::vector<double> gap_end_m;  // without the displacement
  for (std::size_t m = 0; m < found.contacts.size(); ++m)
    gap_end_m.push_back(found.pairs[m].gap_m + found.pairs[m].turn_m +
                        scene_.time.step_s * normal_velocity(found, m, v_hat));
  constexpr int kSweeps = 100;
  constexpr double kAccuracy = 1e-6;  // relative to the largest correction
  double largest = 0;
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    double correction = 0;
    for (std::size_t m = 0; m < found.contacts.size(); ++m) {
      const ContactState contact =
          rebounds[m] != 0 ? ContactState::open : contact_state(found.contacts[m], lambda[m]);
      correction = std::max(correction, keep_contact(found, m, contact, gap_end_m[m]));
    }
    largest = std::max(largest, correction);
    if (!(correction > kAccuracy * largest)) break;
  }
}

/// Adds M^-1 J^T impulse to the displacement of the free bodies.
void Impacts::add_impulse(const StepContacts& found, std::size_t m, Vec3d impulse) {
  for_rows(found, m, system_.layout().n_row(), [&](std::int32_t row, const Mat3d& J, double sign) {
    if (is_free(row)) shift_[row] += sign * (inverse_mass_[row] * transpose_times(J, impulse));
  });
}

/// J M^-1 J^T of contact m, free bodies only.
Mat3d Impacts::compliance(const StepContacts& found, std::size_t m) const {
  Mat3d sum{};
  for_rows(found, m, system_.layout().n_row(), [&](std::int32_t row, const Mat3d& J, double) {
    if (is_free(row)) sum = sum + J * inverse_mass_[row] * transpose(J);
  });
  return sum;
}

/// Removes the relative displacement of contact m if it sticks, its normal part if it slips, and
/// the part that would close an open one.
/// @param gap_end_m  at the end of the step without the displacement
/// @return length of the removed part [m]
double Impacts::keep_contact(const StepContacts& found, std::size_t m, ContactState state,
                             double gap_end_m) {
  const Vec3d relative = found.row_velocity(m, shift_.data(), system_.layout().n_row());
  const Vec3d n = found.contacts[m].R.row[0];
  const bool sticks = state == ContactState::stick;
  Vec3d removed = sticks ? relative : dot(n, relative) * n;
  if (state == ContactState::open)
    removed = std::min(dot(n, relative) + std::max(gap_end_m, 0.0), 0.0) * n;
  if (!(squared_norm(removed) > 0)) return 0;
  const Mat3d K = compliance(found, m);
  add_impulse(found, m, sticks ? -(inverse(K) * removed) : (-1 / dot(n, K * n)) * removed);
  return norm(removed);
}

void Impacts::apply(const State& start, State* end) const {
  if (!has_shift_) return;
  const BodyLayout& layout = system_.layout();
  for (std::int32_t f = 0; f < layout.n_frame(); ++f) {
    const std::int32_t row = layout.frame_row(f);
    if (squared_norm(shift_[row]) + squared_norm(shift_[row + 1]) == 0) continue;
    FramePose& pose = end->frames[static_cast<std::size_t>(f)];
    pose.position += shift_[row];
    turn(system_.frames().model().inertia_body(f),
         start.frames[static_cast<std::size_t>(f)].orientation, shift_[row + 1], &pose.orientation,
         &end->v[static_cast<std::size_t>(row) + 1]);
  }
}

double Impacts::gravity_work_J() const {
  double work = 0;
  const BodyLayout& layout = system_.layout();
  for (std::int32_t f = 0; has_shift_ && f < layout.n_frame(); ++f) {
    const std::int32_t row = layout.frame_row(f);
    work += system_.mass()[static_cast<std::size_t>(row)] * dot(scene_.gravity_m_s2, shift_[row]);
  }
  return work;
}

}  // namespace nodia
