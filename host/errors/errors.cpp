#include "host/errors/errors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "host/errors/energy.hpp"
#include "kernels/contact/law.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/numbers.hpp"
#include "kernels/cpu/chunk_sum.hpp"

namespace nodia {
namespace {

/// Smallest divisor that the Siconos error uses (square root of the rounding unit).
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

double largest(Vec3d a) {
  return larger_or_nan(larger_or_nan(a.x, a.y), a.z);
}

/// Velocity of side i minus that of side j, world frame.
Vec3d relative_velocity(const ContactProblem& p, const Contact<double>& c,
                        const std::vector<Vec3d>& v) {
  Vec3d relative = p.side_velocity(c.side_i, v.data());
  if (c.side_j != kWorld) relative -= p.side_velocity(c.side_j, v.data());
  return relative;
}

Vec3d contact_velocity(const ContactProblem& p, const Contact<double>& c,
                       const std::vector<Vec3d>& v) {
  return c.R * relative_velocity(p, c, v) + c.phi;
}

/// Adds Jc^T lambda of the contacts to `force`, whose first entry belongs to node `first_node`.
void add_contact_force(const ContactProblem& p, Range contacts, const std::vector<Vec3d>& lambda,
                       int first_node, std::vector<Vec3d>* force) {
  const auto add = [&](std::int32_t side, Vec3d f) {
    if (!p.is_point(side))
      (*force)[side - first_node] += f;
    else
      p.for_parts(side, [&](std::int32_t row, const Mat3d& J) {
        (*force)[row - first_node] += transpose_times(J, f);
      });
  };
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d f = transpose_times(c.R, lambda[m]);
    add(c.side_i, f);
    if (c.side_j != kWorld) add(c.side_j, -f);
  }
}

/// Jc^T lambda of an environment's nodes [N].
std::vector<Vec3d> contact_force_of(const ContactProblem& p, int env,
                                    const std::vector<Vec3d>& lambda) {
  const Range nodes = nodes_of(p, env);
  std::vector<Vec3d> force(static_cast<std::size_t>(nodes.end - nodes.begin));
  add_contact_force(p, contacts_of(p, env), lambda, nodes.begin, &force);
  return force;
}

/// u of a contact, with omega lambda for invertible contact.
Vec3d evaluated_velocity(const ContactProblem& p, const Contact<double>& c,
                         const std::vector<Vec3d>& v, Vec3d lambda, double omega) {
  return evaluated_velocity(c, relative_velocity(p, c, v), lambda, omega);
}

ContactError contact_error(const ContactProblem& p, Range contacts, const std::vector<Vec3d>& v,
                           const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                           Projection law, double omega) {
  SolutionSums sums;
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    sums.add_contact(c, lambda[m], evaluated_velocity(p, c, v, lambda[m], omega),
                     largest(diagonal[m]) + omega, law);
  }
  return sums.contacts;
}

SolutionErrors errors_of(const ContactProblem& p, const SolutionSums& sums) {
  SolutionErrors errors = errors_of(sums, {p.step_s, p.theta});
  if (p.mass.empty()) errors.certificate_J = std::numeric_limits<double>::quiet_NaN();
  return errors;
}

/// Sums over an environment's nodes and contacts.
struct Norms {
  DynamicsSums dynamics;
  // Euclidean norms for the Siconos error.
  double plain_residual = 0, plain_load = 0, plain_force = 0, plain_Av = 0, u = 0, lambda = 0,
         natural_map = 0;

  /// Adds the sums of other nodes. The contacts are added elsewhere.
  void operator+=(const Norms& o) {
    dynamics += o.dynamics;
    plain_residual += o.plain_residual;
    plain_load += o.plain_load;
    plain_force += o.plain_force;
    plain_Av += o.plain_Av;
  }
};

Norms norms_of(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
               const std::vector<Vec3d>& lambda, double omega, int n_thread) {
  const Range nodes = nodes_of(p, env), contacts = contacts_of(p, env);
  const std::vector<Vec3d> force = contact_force_of(p, env, lambda);
  const auto add = [&](int k, Norms* n) {
    const int i = nodes.begin + k;
    const Vec3d Av = p.A.row_product(i, v), f = force[k];
    n->dynamics.add(inverse_mass_weight(p, i), Av, p.b[i], f);
    n->plain_residual += squared_norm(Av - p.b[i] - f);
    n->plain_load += squared_norm(p.b[i]);
    n->plain_force += squared_norm(f);
    n->plain_Av += squared_norm(Av);
  };
  Norms n = chunk_sum(nodes.end - nodes.begin, n_thread, Norms{}, add);
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d u = evaluated_velocity(p, c, v, lambda[m], omega);
    n.u += squared_norm(u);
    n.lambda += squared_norm(lambda[m]);
    n.natural_map += squared_norm(natural_map(lambda[m], u, 1.0, c.mu1, c.mu2, Projection::strict));
  }
  for (double* squared : {&n.plain_residual, &n.plain_load, &n.plain_force, &n.plain_Av, &n.u,
                          &n.lambda, &n.natural_map})
    *squared = std::sqrt(*squared);
  return n;
}

/// Global form of gfc3d_compute_error with M := A, q := b, r := lambda (force), u: e_dyn + e_cpl.
double siconos_error(const Norms& n) {
  const auto divided = [](double value, double divisor) {
    return divisor > kSiconosDivisorFloor || !std::isfinite(divisor) ? error_ratio(value, divisor)
                                                                     : value;
  };
  return divided(n.plain_residual,
                 larger_or_nan(larger_or_nan(n.plain_load, n.plain_Av), n.plain_force)) +
         divided(n.natural_map, larger_or_nan(n.u, n.lambda));
}

}  // namespace

std::vector<Vec3d> contact_force(const ContactProblem& p, const std::vector<Vec3d>& lambda) {
  std::vector<Vec3d> force(p.b.size());
  add_contact_force(p, {0, p.n_contact()}, lambda, 0, &force);
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
  for (std::size_t m = 0; m < p.contacts.size(); ++m) u[m] = contact_velocity(p, p.contacts[m], v);
  return u;
}

double inverse_mass_weight(const ContactProblem& p, int node) {
  return p.mass.empty() ? 3 / trace(p.A.block(p.A.pattern->diagonal[node])) : 1 / p.mass[node];
}

double natural_map_error(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                         const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                         Projection model, double omega) {
  return scaled_error(contact_error(p, contacts_of(p, env), v, lambda, diagonal, model, omega));
}

SolutionErrors solution_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                               const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                               Projection model, double omega, int n_thread) {
  const Range nodes = nodes_of(p, env);
  const std::vector<Vec3d> force = contact_force_of(p, env, lambda);
  const auto add = [&](int k, DynamicsSums* sums) {
    const int i = nodes.begin + k;
    sums->add(inverse_mass_weight(p, i), p.A.row_product(i, v), p.b[i], force[k]);
  };
  return errors_of(p, {chunk_sum(nodes.end - nodes.begin, n_thread, DynamicsSums{}, add),
                       contact_error(p, contacts_of(p, env), v, lambda, diagonal, model, omega)});
}

ErrorReport measure_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                           const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                           Projection model, double omega, int n_thread) {
  const Range contacts = contacts_of(p, env);
  const Norms n = norms_of(p, env, v, lambda, omega, n_thread);
  ErrorReport report;
  static_cast<SolutionErrors&>(report) =
      errors_of(p, {n.dynamics, contact_error(p, contacts, v, lambda, diagonal, model, omega)});
  report.error_siconos = siconos_error(n);
  for (int m = contacts.begin; m < contacts.end; ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d u = contact_velocity(p, c, v);
    const ContactImpulse impulse{p.step_s * lambda[m], u + omega * lambda[m],
                                 (1 / p.step_s) * (diagonal[m] + Vec3d{omega, omega, omega}), c.mu1,
                                 c.mu2};
    report.energy_error_J += energy_error_cone(impulse);
    report.energy_error_box_J += energy_error_box(impulse);
    report.penetration_velocity = larger_or_nan(-u.x, report.penetration_velocity);
  }
  return report;
}

std::vector<Vec3d> recover_contact_forces(const ContactProblem& p, const std::vector<Vec3d>& v,
                                          Projection model, double omega) {
  require(omega > 0 && std::isfinite(omega), "omega", omega, "finite and > 0",
          "forces follow from velocities only where contact is invertible");
  std::vector<Vec3d> lambda(p.contacts.size());
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d trial = (-1 / omega) * contact_velocity(p, c, v);
    lambda[m] = project(model, trial, c.mu1, c.mu2);
  }
  return lambda;
}

std::vector<ContactState> contact_states(const ContactProblem& p,
                                         const std::vector<Vec3d>& lambda) {
  std::vector<ContactState> state(p.contacts.size());
  for (std::size_t m = 0; m < p.contacts.size(); ++m)
    state[m] = contact_state(p.contacts[m], lambda[m]);
  return state;
}

}  // namespace nodia
