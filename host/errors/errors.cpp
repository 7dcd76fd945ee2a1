#include "host/errors/errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/energy.hpp"
#include "kernels/contact/natural_map.hpp"

namespace nodia {
namespace {

/// Divisors of the Siconos measure below this are not used (sqrt of the rounding unit).
const double kSiconosDivisorFloor = std::sqrt(std::numeric_limits<double>::epsilon());

/// Half-open range of nodes or contacts.
struct Range {
  int begin, end;
};
Range nodes_of(const ContactProblem& p, int env) {
  return {p.env_node_begin[env], p.env_node_begin[env + 1]};
}
Range contacts_of(const ContactProblem& p, int env) {
  return {p.env_contact_begin[env], p.env_contact_begin[env + 1]};
}

double length(const std::vector<Vec3d>& a, Range range) {
  double sum = 0;
  for (int i = range.begin; i < range.end; ++i) sum += squared_norm(a[i]);
  return std::sqrt(sum);
}

double weighted_length(const std::vector<Vec3d>& a, const std::vector<double>& weight,
                       Range range) {
  double sum = 0;
  for (int i = range.begin; i < range.end; ++i) sum += weight[i] * squared_norm(a[i]);
  return std::sqrt(sum);
}

/// NaN where any argument is.
double max_or_nan(double a, double b) {
  return a >= b || std::isnan(a) ? a : b;
}

double largest(Vec3d a) {
  return max_or_nan(max_or_nan(a.x, a.y), a.z);
}

double ratio(double value, double scale) {
  if (value == 0) return 0;
  return scale > 0 || std::isnan(scale) ? value / scale : value;
}

/// Worst contact of an environment, as declared for natural_map_error.
double worst_natural_map(const ContactProblem& p, Range contacts, const std::vector<Vec3d>& u,
                         const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                         Projection law) {
  double worst = 0, scale = 0;
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    const double d = largest(diagonal[m]);
    worst = max_or_nan(d * norm(natural_map(lambda[m], u[m], d, c.mu1, c.mu2, law)), worst);
    scale = max_or_nan(max_or_nan(d * norm(lambda[m]), norm(u[m])), scale);
  }
  return ratio(worst, scale);
}

/// Global form of gfc3d_compute_error with M := A, q := b, r := lambda (force), u: e_dyn + e_cpl.
double siconos_error(const ContactProblem& p, int env, const std::vector<Vec3d>& residual,
                     const std::vector<Vec3d>& Av, const std::vector<Vec3d>& force,
                     const std::vector<Vec3d>& u, const std::vector<Vec3d>& lambda) {
  const Range nodes = nodes_of(p, env), contacts = contacts_of(p, env);
  const auto divided = [](double value, double divisor) {
    return divisor > kSiconosDivisorFloor ? value / divisor : value;
  };
  const double dynamics_scale =
      std::max({length(p.b, nodes), length(Av, nodes), length(force, nodes)});
  double squared = 0;
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    squared += squared_norm(natural_map(lambda[m], u[m], 1.0, c.mu1, c.mu2, Projection::strict));
  }
  return divided(length(residual, nodes), dynamics_scale) +
         divided(std::sqrt(squared), std::max(length(u, contacts), length(lambda, contacts)));
}

}  // namespace

std::vector<Vec3d> contact_force(const ContactProblem& p, const std::vector<Vec3d>& lambda) {
  std::vector<Vec3d> force(p.b.size());
  for (std::size_t m = 0; m < p.contacts.size(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d f = transpose_times(c.R, lambda[m]);
    force[c.node_i] += f;
    if (c.node_j != kWorld) force[c.node_j] -= f;
  }
  return force;
}

std::vector<Vec3d> dynamics_residual(const ContactProblem& p, const std::vector<Vec3d>& v,
                                     const std::vector<Vec3d>& lambda) {
  std::vector<Vec3d> r = p.A.multiply(v);
  const std::vector<Vec3d> force = contact_force(p, lambda);
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = r[i] - p.b[i] - force[i];
  return r;
}

std::vector<Vec3d> contact_velocity(const ContactProblem& p, const std::vector<Vec3d>& v) {
  std::vector<Vec3d> u(p.contacts.size());
  for (std::size_t m = 0; m < p.contacts.size(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d relative = c.node_j == kWorld ? v[c.node_i] : v[c.node_i] - v[c.node_j];
    u[m] = c.R * relative + c.phi;
  }
  return u;
}

std::vector<double> inverse_mass_weights(const ContactProblem& p) {
  std::vector<double> weight(p.b.size());
  for (std::size_t i = 0; i < weight.size(); ++i)
    weight[i] = p.mass.empty() ? 3 / trace(p.A.block(p.A.pattern->diagonal[i])) : 1 / p.mass[i];
  return weight;
}

double natural_map_error(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                         const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                         Projection model) {
  return worst_natural_map(p, contacts_of(p, env), contact_velocity(p, v), lambda, diagonal, model);
}

ErrorReport measure_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                           const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                           Projection model) {
  const Range nodes = nodes_of(p, env), contacts = contacts_of(p, env);
  const std::vector<double> weight = inverse_mass_weights(p);
  const std::vector<Vec3d> u = contact_velocity(p, v), force = contact_force(p, lambda),
                           Av = p.A.multiply(v);
  std::vector<Vec3d> r(Av.size());
  for (std::size_t i = 0; i < r.size(); ++i) r[i] = Av[i] - p.b[i] - force[i];

  ErrorReport report;
  const double residual = weighted_length(r, weight, nodes);
  report.relative_residual = ratio(residual, max_or_nan(weighted_length(p.b, weight, nodes),
                                                        weighted_length(force, weight, nodes)));
  report.natural_map_error = worst_natural_map(p, contacts, u, lambda, diagonal, model);
  report.certificate_J = p.mass.empty() ? std::numeric_limits<double>::quiet_NaN()
                                        : p.theta * p.step_s * p.step_s / 2 * residual * residual;
  report.error_siconos = siconos_error(p, env, r, Av, force, u, lambda);
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const ContactImpulse impulse{p.step_s * lambda[m], u[m], (1 / p.step_s) * diagonal[m],
                                 p.contacts[m].mu1, p.contacts[m].mu2};
    report.energy_error_J += energy_error_cone(impulse);
    report.energy_error_box_J += energy_error_box(impulse);
    report.penetration_velocity = max_or_nan(-u[m].x, report.penetration_velocity);
  }
  return report;
}

std::vector<ContactState> contact_states(const ContactProblem& p,
                                         const std::vector<Vec3d>& lambda) {
  // A force within rounding of its section's edge counts as slipping.
  const double inside = 1 - 64 * std::numeric_limits<double>::epsilon();
  std::vector<ContactState> state(p.contacts.size(), ContactState::open);
  for (std::size_t m = 0; m < p.contacts.size(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const double n = lambda[m].x, s1 = c.mu1 * n, s2 = c.mu2 * n;
    if (!(n > 0)) continue;
    const double e1 = s1 > 0 ? lambda[m].y / s1 : 1, e2 = s2 > 0 ? lambda[m].z / s2 : 1;
    state[m] = e1 * e1 + e2 * e2 < inside ? ContactState::stick : ContactState::slip;
  }
  return state;
}

}  // namespace nodia
