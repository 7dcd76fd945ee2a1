#include "host/solvers/newton/newton_step.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Penalty times compliance; of rigid contacts in piles, where many bodies move together and a
/// contact's own compliance says too much.
constexpr double kPenalty = 100, kPilePenalty = 1e4;

constexpr double kLeastShare = 1e-2;
constexpr int kBisections = 14;
/// A slope of this share of the first one ends the line search.
constexpr double kFlat = 1e-3;

}  // namespace

NewtonStep::NewtonStep(const RelativeSystem& system, const Smoothing& smoothing,
                       Projection projection, double invertible_omega, DirectSolve* solve)
    : system_(system),
      projection_(projection),
      invertible_omega_(invertible_omega),
      solve_(solve),
      before_(solve->multiply_adds()) {
  const int n = system.n_contact();
  for (int m = 0; m < n; ++m) compliance_.push_back(smoothing.compliance(m));
  for (int m = 0; m < n; ++m)
    is_pile_ = is_pile_ || (is_rigid(m) && system.problem.contacts[m].node_j != kWorld);
  penalty_.resize(n);
  set_penalties();
  trial_.resize(n);
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

void NewtonStep::factorise() {
  K_ = system_.K;
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
        const int k = K_.pattern->find(i->row, j->row);
        K_.set_block(k, K_.block(k) + transpose(i->J) * GJ);
      }
    }
  }
  if (!solve_->factorise(K_, system_.problem.topology[0]->bodies))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
}

/// K + sum a_m c_m^T over the slipping contacts, c_m the row of u_n and a_m the friction that a
/// normal force of one newton adds, penalties in them; inverted by the rank of the sum.
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
