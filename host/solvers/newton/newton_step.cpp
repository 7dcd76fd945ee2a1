#include "host/solvers/newton/newton_step.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Penalty times compliance.
constexpr double kPenalty = 100;
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
    penalty_[m] = gamma > 0 ? 1 / (gamma / (penalty_share_ * kPenalty) + invertible_omega_) : 0;
  }
}

bool NewtonStep::soften() {
  if (penalty_share_ <= kLeastShare) return false;
  penalty_share_ /= 10;
  set_penalties();
  return true;
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
    if (system_.relative.contact_class(m) == ContactClass::single) continue;
    const Contact<double>& c = system_.problem.contacts[m];
    (*lambda)[m] = project(projection_, trial(m, y, (*lambda)[m]), c.mu1, c.mu2);
  }
}

double NewtonStep::force_change(const std::vector<Vec3d>& y,
                                const std::vector<Vec3d>& lambda) const {
  double inconsistent = 0, changed = 0;
  for (int m = 0; m < system_.n_contact(); ++m) {
    const ContactTangent& t = tangent_[m];
    if (system_.relative.contact_class(m) != ContactClass::single && compliance_[m] > 0) {
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
