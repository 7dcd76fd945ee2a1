#include "host/solvers/newton/newton_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "host/solvers/linear/gmres.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Penalty times compliance: in general, of rigid contacts in piles (many bodies move together),
/// and of these after sweeps.
constexpr double kPenalty = 100, kInPiles = 1e4, kAfterSweeps = 10;

constexpr double kLeastShare = 1e-2;
constexpr int kBisections = 14;
/// Products and residual of GMRES; it stalls the strict steps if it ends at 1e-3.
constexpr int kMostGmresSteps = 30;
constexpr double kEnough = 1e-6;
/// Slope over the first one that ends the line search.
constexpr double kFlat = 1e-3;

/// Sorts a list and removes duplicates.
void sort_once(std::vector<std::int32_t>* list) {
  std::sort(list->begin(), list->end());
  list->erase(std::unique(list->begin(), list->end()), list->end());
}

}  // namespace

NewtonStep::NewtonStep(const RelativeSystem& system, const Smoothing& smoothing,
                       Projection projection, double invertible_omega, DirectSolve* solve,
                       BlockMatrix* K)
    : system_(system),
      projection_(projection),
      invertible_omega_(invertible_omega),
      K_(K),
      solve_(solve),
      before_(solve->multiply_adds()) {
  const int n = system.n_contact();
  set_compliances(smoothing);
  penalty_.resize(n);
  set_penalties();
  trial_.resize(n);
  velocity_.resize(n);
  tangent_.resize(n);
  factorised_state_.resize(n);
  factorised_force_.resize(n);
  Jd_.resize(n);
}

/// A slave's compliance says nothing of the other side, which may be far softer.
void NewtonStep::set_compliances(const Smoothing& smoothing) {
  const ContactProblem& p = system_.problem;
  for (int m = 0; m < system_.n_contact(); ++m) {
    compliance_.push_back(smoothing.compliance(m));
    double sum = 0;
    if (!is_rigid(m))
      for (const std::int32_t side : {p.contacts[m].side_i, p.contacts[m].side_j})
        if (side != kWorld)
          p.for_parts(side, [&](std::int32_t row, const Mat3d& J) {
            sum += trace(J * transpose(J)) / trace(p.A.block(p.A.pattern->diagonal[row]));
          });
    both_sides_.push_back(std::max(compliance_[m], sum));
  }
  load_.assign(compliance_.size(), 0);
  for (int m = 0; m < system_.n_contact(); ++m)
    is_pile_ = is_pile_ || (is_rigid(m) && p.contacts[m].side_j != kWorld);
}

/// Beside soft bodies and cables penalties do not follow the loads, because multipliers may grow
/// far beyond the solution there before they converge.
void NewtonStep::set_load_speeds(const BodyBalance& balance) {
  is_stiff_ = is_pile_ && (system_.relative.smooths() || !balance.has_unequal_masses());
  set_penalties();
  if (is_stiff_ || system_.relative.smooths()) return;
  load_speed_.assign(compliance_.size(), 0);
  largest_load_.assign(compliance_.size(), 0);
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (!is_rigid(m)) continue;
    load_speed_[m] = balance.speed(m);
    largest_load_[m] = balance.largest_load(m);
  }
}

void NewtonStep::continue_from_sweeps() {
  is_swept_ = true;
  penalty_share_ = 1;
  load_speed_.clear();
  load_.assign(load_.size(), 0);
  set_penalties();
}

void NewtonStep::raise_penalties(const std::vector<Vec3d>& lambda) {
  for (std::size_t m = 0; m < load_speed_.size(); ++m)
    if (load_speed_[m] > 0)
      load_[m] = std::max(load_[m], std::min(lambda[m].x / load_speed_[m], largest_load_[m]));
  set_penalties();
}

void NewtonStep::set_penalties() {
  for (int m = 0; m < system_.n_contact(); ++m) {
    const double gamma = both_sides_[m];
    const double stiffest = std::max(1 / gamma, load_[m]);
    const double share = is_swept_ ? kAfterSweeps : is_stiff_ && is_rigid(m) ? kInPiles : kPenalty;
    penalty_[m] = gamma > 0 ? 1 / (1 / (stiffest * penalty_share_ * share) + invertible_omega_) : 0;
  }
}

bool NewtonStep::soften() {
  if (penalty_share_ <= kLeastShare) return false;
  penalty_share_ /= 10;
  set_penalties();
  return true;
}

void NewtonStep::keep_all_multipliers() {
  keep_all_ = true;
  penalty_share_ = 1;
  set_penalties();
}

Vec3d NewtonStep::trial(int m, const std::vector<Vec3d>& y, Vec3d lambda) const {
  const double r = penalty_[m];
  return (1 - r * invertible_omega_) * lambda - r * system_.velocity(m, y);
}

ContactTangent NewtonStep::tangent(int m, Vec3d trial, double section) const {
  const Contact<double>& c = system_.problem.contacts[m];
  return projection_ == Projection::strict ? strict_tangent(trial, section, c.mu1, c.mu2)
                                           : proximal_tangent(trial, c.mu1, c.mu2);
}

void NewtonStep::linearise(const std::vector<Vec3d>& y, const std::vector<Vec3d>& lambda,
                           bool hold_sections) {
  raise_penalties(lambda);
  const bool first = section_.empty();
  if (first) section_.resize(lambda.size());
  for (int m = 0; m < system_.n_contact(); ++m) {
    trial_[m] = trial(m, y, lambda[m]);
    velocity_[m] = system_.velocity(m, y);
    double& section = section_[m];
    const double own = std::max(trial_[m].x, 0.0);
    section = hold_sections && !first && section > 0 ? (section + own) / 2 : own;
    tangent_[m] = tangent(m, trial_[m], section);
  }
}

void NewtonStep::residual(const std::vector<Vec3d>& g, std::vector<Vec3d>* r) const {
  r->resize(g.size());
  for (std::size_t i = 0; i < g.size(); ++i) (*r)[i] = -g[i];
  for (int m = 0; m < system_.n_contact(); ++m) system_.add_force(m, tangent_[m].force, r);
}

void NewtonStep::assemble() {
  BlockMatrix& K = *K_;
  if (is_assembled_) {
    for (const std::int32_t k : touched_) K.set_block(k, system_.K.block(k));
    changed_ = std::exchange(touched_, {});
  } else {
    K = system_.K;
    is_assembled_ = true;
  }
  const RelativeCoordinates& relative = system_.relative;
  for (int m = 0; m < system_.n_contact(); ++m) {
    const ContactTangent& t = tangent_[m];
    factorised_state_[m] = t.state;
    factorised_force_[m] = t.force;
    if (t.state == ContactState::open) continue;
    const Mat3d G = penalty_[m] * t.slope;
    for (const ContactPart* j = relative.begin(m); j != relative.end(m); ++j) {
      const Mat3d GJ = G * j->J;
      for (const ContactPart* i = relative.begin(m); i != relative.end(m); ++i) {
        const int k = K.pattern->find(i->row, j->row);
        K.set_block(k, K.block(k) + transpose(i->J) * GJ);
        touched_.push_back(k);
      }
    }
  }
  if (!changed_) return;
  changed_->insert(changed_->end(), touched_.begin(), touched_.end());
  sort_once(&*changed_);
}

std::vector<std::int32_t> NewtonStep::with_contacts() const {
  std::vector<std::int32_t> blocks = touched_;
  sort_once(&blocks);
  return blocks;
}

std::vector<Mat3d> NewtonStep::filter() const {
  std::vector<Mat3d> M(system_.b.size(), Mat3d::identity());
  for (int m = 0; m < system_.n_contact(); ++m) {
    const ContactTangent& t = tangent_[m];
    if (t.state == ContactState::open) continue;
    for (const ContactPart* e = system_.relative.begin(m); e != system_.relative.end(m); ++e) {
      const double a = trace(system_.K.block(system_.K.pattern->diagonal[e->row])) / 3;
      M[e->row] = M[e->row] + (penalty_[m] / a) * (transpose(e->J) * (t.slope * e->J));
    }
  }
  for (Mat3d& of_row : M) of_row = inverse(of_row);
  return M;
}

void NewtonStep::factorise() {
  assemble();
  if (!solve_->factorise(*K_, system_.problem.topology[0]->bodies))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
}

/// The friction of a slipping contact follows its normal force: G has a column more.
bool NewtonStep::solve_free_sections(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) {
  std::vector<Mat3d> G(tangent_.size());
  bool any = false;
  for (std::size_t m = 0; m < tangent_.size(); ++m) {
    const ContactTangent& t = tangent_[m];
    if (t.state == ContactState::open) continue;
    G[m] = penalty_[m] * t.slope;
    if (projection_ != Projection::strict || t.state != ContactState::slip) continue;
    // The projection on a section is homogeneous of degree one in trial and section.
    const Vec3d along = t.force - t.slope * trial_[m];
    const double by_section = penalty_[m] / section_[m];
    G[m](1, 0) += by_section * along.y;
    G[m](2, 0) += by_section * along.z;
    any = true;
  }
  solve(f, x);
  if (!any) return true;
  std::vector<Vec3d> product;
  const auto apply = [&](const std::vector<Vec3d>& y, std::vector<Vec3d>* result) {
    system_.multiply(y, &product);
    for (int m = 0; m < system_.n_contact(); ++m)
      if (tangent_[m].state != ContactState::open)
        system_.add_force(m, G[m] * system_.relative_velocity(m, y), &product);
    solve(product, result);
  };
  std::vector<double> weight(f.size());
  for (std::size_t i = 0; i < weight.size(); ++i)
    weight[i] = trace(system_.K.block(system_.K.pattern->diagonal[i]));
  return gmres(apply, weight, kMostGmresSteps, kEnough, x);
}

double NewtonStep::natural_map(const std::vector<Vec3d>& y,
                               const std::vector<Vec3d>& lambda) const {
  double sum = 0;
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (!has_multiplier(m) || !(compliance_[m] > 0)) continue;
    const Contact<double>& c = system_.problem.contacts[m];
    const Vec3d natural = contact_update(law_of(projection_, c), lambda[m], system_.velocity(m, y),
                                         compliance_[m], invertible_omega_);
    sum += compliance_[m] * squared_norm(natural - lambda[m]);
  }
  return std::sqrt(sum);
}

double NewtonStep::line_search(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d,
                               const std::vector<Vec3d>& Kd) {
  const double linear = dot(g, d), quadratic = dot(d, Kd);
  for (int m = 0; m < system_.n_contact(); ++m) Jd_[m] = system_.relative_velocity(m, d);
  const auto slope = [&](double a) {
    double sum = linear + a * quadratic;
    for (int m = 0; m < system_.n_contact(); ++m)
      sum -= dot(tangent(m, trial_[m] - (a * penalty_[m]) * Jd_[m], section_[m]).force, Jd_[m]);
    return sum;
  };
  const double at_start = slope(0);
  if (slope(1) <= kFlat * std::fabs(at_start)) return 1;
  double low = 0, high = 1;
  for (int k = 0; k < kBisections; ++k) {
    const double middle = (low + high) / 2, value = slope(middle);
    if (std::fabs(value) <= kFlat * std::fabs(at_start)) return middle;
    (value < 0 ? low : high) = middle;
  }
  return low > 0 ? low : high;
}

bool NewtonStep::clip(std::vector<Vec3d>* d) const {
  bool any = false;
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (system_.relative.contact_class(m) != ContactClass::single || !(penalty_[m] > 0)) continue;
    const ContactPart& part = *system_.relative.begin(m);
    const Vec3d change = part.J * (*d)[part.row];
    Vec3d wanted = change;
    if (tangent_[m].state == ContactState::open && trial_[m].x <= 0) {
      wanted.x = std::max(change.x, trial_[m].x / penalty_[m]);
    } else if (tangent_[m].state == ContactState::slip) {
      const Vec3d u = velocity_[m];
      if ((u.y + change.y) * u.y + (u.z + change.z) * u.z < 0) {
        wanted.y = -u.y;
        wanted.z = -u.z;
      }
    }
    if (squared_norm(wanted - change) == 0) continue;
    any = true;
    (*d)[part.row] += transpose_times(part.J, wanted - change);
  }
  return any;
}

double NewtonStep::slope(const std::vector<Vec3d>& g, const std::vector<Vec3d>& d) const {
  double sum = dot(g, d);
  for (int m = 0; m < system_.n_contact(); ++m)
    sum -= dot(tangent_[m].force, system_.relative_velocity(m, d));
  return sum;
}

double NewtonStep::multiplier_lag(const std::vector<Vec3d>& lambda) const {
  double sum = 0;
  for (int m = 0; m < system_.n_contact(); ++m)
    if (has_multiplier(m)) sum += compliance_[m] * squared_norm(tangent_[m].force - lambda[m]);
  return std::sqrt(sum);
}

double NewtonStep::energy(const std::vector<Vec3d>& y, const std::vector<Vec3d>& g,
                          const std::vector<Vec3d>& lambda) const {
  double sum = (dot(y, g) - dot(y, system_.b)) / 2;
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (!(penalty_[m] > 0)) continue;
    const Vec3d tau = trial(m, y, lambda[m]);
    const Vec3d force = tangent(m, tau, std::max(tau.x, 0.0)).force;
    sum += (dot(tau, force) - squared_norm(force) / 2) / penalty_[m];
  }
  return sum;
}

void NewtonStep::update_multipliers(const std::vector<Vec3d>& y, std::vector<Vec3d>* lambda) const {
  for (int m = 0; m < system_.n_contact(); ++m) {
    if (!has_multiplier(m)) continue;
    const Contact<double>& c = system_.problem.contacts[m];
    (*lambda)[m] = project(projection_, trial(m, y, (*lambda)[m]), c.mu1, c.mu2);
  }
}

double NewtonStep::force_change(const std::vector<Vec3d>& y,
                                const std::vector<Vec3d>& lambda) const {
  double changed = 0;
  for (int m = 0; m < system_.n_contact(); ++m) {
    const ContactTangent& t = tangent_[m];
    if (t.state != factorised_state_[m])
      changed += compliance_[m] * squared_norm(t.force - factorised_force_[m]);
  }
  return std::max(natural_map(y, lambda), std::sqrt(changed));
}

}  // namespace nodia
