#include "host/solvers/newton/newton_step.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Penalty times compliance. Piles of rigid bodies need more: many bodies move together, so a
/// contact's own compliance is too large.
constexpr double kPenalty = 100, kPilePenalty = 1e4;

constexpr double kLeastShare = 1e-2;
constexpr int kBisections = 14;
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
  for (int m = 0; m < n; ++m) compliance_.push_back(smoothing.compliance(m));
  for (int m = 0; m < n; ++m)
    is_pile_ = is_pile_ || (is_rigid(m) && system.problem.contacts[m].side_j != kWorld);
  penalty_.resize(n);
  set_penalties();
  trial_.resize(n);
  velocity_.resize(n);
  tangent_.resize(n);
  factorised_state_.resize(n);
  factorised_force_.resize(n);
  Jd_.resize(n);
}

void NewtonStep::set_penalties() {
  for (int m = 0; m < system_.n_contact(); ++m) {
    const double gamma = compliance_[m];
    const double share = penalty_share_ * (is_pile_ && is_rigid(m) ? kPilePenalty : kPenalty);
    penalty_[m] = gamma > 0 ? 1 / (gamma / share + invertible_omega_) : 0;
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

/// Solves with K + sum a_m c_m^T over the slipping contacts by the rank of the sum; c_m is the row
/// of u_n, a_m the friction per newton of normal force, both with penalties.
bool NewtonStep::solve_free_sections(const std::vector<Vec3d>& f, std::vector<Vec3d>* x) {
  solve(f, x);
  std::vector<std::int32_t> slipping;
  if (projection_ == Projection::strict)
    for (int m = 0; m < system_.n_contact(); ++m)
      if (tangent_[m].state == ContactState::slip) slipping.push_back(m);
  const auto n = static_cast<Eigen::Index>(slipping.size());
  if (n == 0) return true;
  const auto normal = [&](std::int32_t m, const std::vector<Vec3d>& y) {
    return system_.relative_velocity(m, y).x;
  };
  std::vector<std::vector<Vec3d>> columns(slipping.size());
  Eigen::MatrixXd S = Eigen::MatrixXd::Identity(n, n);
  Eigen::VectorXd right(n);
  for (Eigen::Index k = 0; k < n; ++k) {
    const std::int32_t m = slipping[k];
    const ContactTangent& t = tangent_[m];
    // The projection on a section is homogeneous of degree one in trial and section.
    const Vec3d along = t.force - t.slope * trial_[m];
    const double by_section = penalty_[m] / section_[m];
    std::vector<Vec3d> a(f.size());
    system_.add_force(m, by_section * Vec3d{0, along.y, along.z}, &a);
    solve(a, &columns[k]);
    for (Eigen::Index l = 0; l < n; ++l) S(l, k) += normal(slipping[l], columns[k]);
    right[k] = normal(m, *x);
  }
  const Eigen::VectorXd share = S.partialPivLu().solve(right);
  if (!share.allFinite()) return false;
  for (Eigen::Index k = 0; k < n; ++k)
    for (std::size_t i = 0; i < x->size(); ++i) (*x)[i] -= share[k] * columns[k][i];
  return true;
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
  double inconsistent = 0, changed = 0;
  for (int m = 0; m < system_.n_contact(); ++m) {
    const ContactTangent& t = tangent_[m];
    if (has_multiplier(m) && compliance_[m] > 0) {
      const Contact<double>& c = system_.problem.contacts[m];
      const Vec3d natural =
          contact_update(law_of(projection_, c), lambda[m], system_.velocity(m, y), compliance_[m],
                         invertible_omega_);
      inconsistent += compliance_[m] * squared_norm(natural - lambda[m]);
    }
    if (t.state != factorised_state_[m])
      changed += compliance_[m] * squared_norm(t.force - factorised_force_[m]);
  }
  return std::sqrt(std::max(inconsistent, changed));
}

}  // namespace nodia
