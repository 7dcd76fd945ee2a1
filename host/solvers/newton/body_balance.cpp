#include "host/solvers/newton/body_balance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "fem/matrix/symmetric_eigen.hpp"
#include "host/solvers/newton/body_inverses.hpp"
#include "kernels/contact/contact_update.hpp"

namespace nodia {
namespace {

/// Factors of the law's bound on the speed of a contact's bodies and on their |f_b|/a_b.
constexpr double kMoving = 100, kFree = 10;
/// Limit of equal masses: sweeps fail above it (docs/solver.md, "Piles").
constexpr double kMostRatio = 500;
/// Change of velocity that counts as zero [m/s].
constexpr double kZeroSpeed = 1e-12;
/// Rounding of the forces on a body, relative to the sum of the contact forces' norms.
constexpr double kRounding = 1e-11;

bool is_translation(RowKind kind) {
  return kind == RowKind::node || kind == RowKind::linear;
}

/// Calls part(row, J) for the rows that contact m acts on, once for each side: u = sum J v + phi.
template <class F>
void for_contact_parts(const ContactProblem& problem, const Contact<double>& c, const F& part) {
  for (const auto& [side, sign] : {std::pair{c.side_i, 1.0}, std::pair{c.side_j, -1.0}})
    if (side != kWorld)
      problem.for_parts(
          side, [&, s = sign](std::int32_t row, const Mat3d& J) { part(row, s * (c.R * J)); });
}

/// f += J^T lambda of all contacts.
void add_forces(const ContactProblem& problem, const std::vector<Vec3d>& lambda,
                std::vector<Vec3d>* f) {
  for (std::size_t m = 0; m < lambda.size(); ++m)
    for_contact_parts(problem, problem.contacts[m], [&](std::int32_t row, const Mat3d& J) {
      (*f)[row] += transpose_times(J, lambda[m]);
    });
}

/// b + J^T lambda - A v [N]
std::vector<Vec3d> force_residual(const ContactProblem& problem, const std::vector<Vec3d>& v,
                                  const std::vector<Vec3d>& lambda) {
  std::vector<Vec3d> force = problem.b;
  const std::vector<Vec3d> Av = problem.A.multiply(v);
  for (std::size_t i = 0; i < force.size(); ++i) force[i] -= Av[i];
  add_forces(problem, lambda, &force);
  return force;
}

double diagonal_trace(const ContactProblem& problem, int row) {
  return trace(problem.A.block(problem.A.pattern->diagonal[row]));
}

}  // namespace

BodyBalance::BodyBalance(const ContactProblem& problem, const std::vector<Vec3d>& v,
                         const std::vector<Vec3d>& free)
    : problem_(problem), body_of_(problem.b.size(), -1), free_(free) {
  const std::vector<Body>& bodies = problem.topology[0]->bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k)
    std::fill_n(body_of_.begin() + bodies[k].first_row, bodies[k].n_row,
                static_cast<std::int32_t>(k));
  for (int end = 0; end < 2; ++end)
    for (const Contact<double>& c : problem.contacts) {
      std::int32_t body = -1;
      const std::int32_t side = end == 0 ? c.side_i : c.side_j;
      if (side != kWorld)
        problem.for_parts(side, [&](std::int32_t row, const Mat3d&) { body = body_of_[row]; });
      side_[end].push_back(body);
    }
  set_bodies(v, free);
  connect();
  set_compliances();
}

void BodyBalance::set_bodies(const std::vector<Vec3d>& v, const std::vector<Vec3d>& free) {
  const Topology& topology = *problem_.topology[0];
  const std::size_t n = topology.bodies.size();
  centre_.assign(n, Vec3d{});
  inertia_.assign(n, 0);
  radius_.assign(n, 0);
  for (std::size_t k = 0; k < n; ++k) {
    const Body& body = topology.bodies[k];
    double spread = 0, turning = 0;
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i) {
      const double a = diagonal_trace(problem_, i) / 3;
      if (!is_translation(topology.kind[i])) {
        if (topology.kind[i] == RowKind::angular) turning += a;
        continue;
      }
      inertia_[k] += a;
      if (!problem_.position.empty()) centre_[k] += a * problem_.position[i];
    }
    if (!(inertia_[k] > 0)) continue;
    centre_[k] = (1 / inertia_[k]) * centre_[k];
    if (!problem_.position.empty())
      for (int i = body.first_row; i < body.first_row + body.n_row; ++i)
        if (is_translation(topology.kind[i]))
          spread +=
              diagonal_trace(problem_, i) / 3 * squared_norm(problem_.position[i] - centre_[k]);
    radius_[k] = std::sqrt((spread + turning) / inertia_[k]);
  }
  const std::vector<double> speed = speeds(v);
  std::vector<Vec3d> alone(free.size());  // the change of velocity if every row moved alone
  for (std::size_t i = 0; i < free.size(); ++i) {
    const Mat3d D = problem_.A.block(problem_.A.pattern->diagonal[i]);
    alone[i] = {free[i].x / D(0, 0), free[i].y / D(1, 1), free[i].z / D(2, 2)};
  }
  const std::vector<double> of_robots = speeds(alone);
  for (std::size_t k = 0; k < n; ++k) {
    free_sums_.push_back(sums_of(static_cast<int>(k), free));
    free_speed_.push_back(topology.bodies[k].kind == BodyKind::robot ? of_robots[k]
                          : inertia_[k] > 0 ? norm(free_sums_[k].force) / inertia_[k]
                                            : 0);
    group_speed_.push_back(std::max(speed[k], free_speed_[k]));
  }
}

/// Sets the largest speed and the sum of a_b of all bodies that contacts connect. The speed is 0
/// for a body that touches no other body.
void BodyBalance::connect() {
  std::vector<std::int32_t> parent(group_speed_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int32_t k) {
    while (parent[k] != k) k = parent[k] = parent[parent[k]];
    return k;
  };
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m)
    if (side_[0][m] >= 0 && side_[1][m] >= 0) parent[root(side_[0][m])] = root(side_[1][m]);
  struct Group {
    double speed = 0, inertia = 0;
    int n_body = 0;
  };
  std::vector<Group> groups(parent.size());
  const auto group_of = [&](std::size_t k) -> Group& {
    return groups[root(static_cast<std::int32_t>(k))];
  };
  for (std::size_t k = 0; k < parent.size(); ++k) {
    const bool is_robot = problem_.topology[0]->bodies[k].kind == BodyKind::robot;
    Group& group = group_of(k);
    ++group.n_body;
    group.speed = std::max(group.speed, group_speed_[k]);
    group.inertia += is_robot ? std::numeric_limits<double>::infinity() : inertia_[k];
  }
  for (std::size_t k = 0; k < parent.size(); ++k) {
    group_speed_[k] = group_of(k).n_body > 1 ? group_of(k).speed : 0;
    group_inertia_.push_back(group_of(k).inertia);
  }
}

void BodyBalance::set_compliances() {
  const Topology& topology = *problem_.topology[0];
  BodyInverses inverses(topology, problem_.A);
  compliance_.assign(problem_.contacts.size(), 0);
  std::vector<ContactPart> parts;
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m) {
    const Contact<double>& c = problem_.contacts[m];
    bool rigid = true;
    for (const std::vector<std::int32_t>& side : side_)
      rigid = rigid && (side[m] < 0 || is_dense(topology.bodies[side[m]].kind));
    if (!rigid) continue;
    parts.clear();
    for_contact_parts(problem_, c, [&](std::int32_t row, const Mat3d& J) {
      for (ContactPart& known : parts)
        if (known.row == row) {
          known.J = known.J + J;
          return;
        }
      parts.push_back({row, J});
    });
    std::sort(parts.begin(), parts.end(),
              [](const ContactPart& a, const ContactPart& b) { return a.row < b.row; });
    compliance_[m] =
        symmetric_eigenvalues(inverses.compliance(parts.data(), parts.data() + parts.size()))
            .maxCoeff();
  }
}

BodyBalance::Sums BodyBalance::sums_of(int body, const std::vector<Vec3d>& force) const {
  const Topology& topology = *problem_.topology[0];
  const Body& of = topology.bodies[body];
  Sums sums;
  for (int i = of.first_row; i < of.first_row + of.n_row; ++i) {
    if (topology.kind[i] == RowKind::angular) {
      sums.torque += force[i];
    } else if (is_translation(topology.kind[i])) {
      sums.force += force[i];
      sums.pressing += norm(force[i]);
      if (of.kind != BodyKind::rigid && !problem_.position.empty())
        sums.torque += cross(problem_.position[i] - centre_[body], force[i]);
    }
  }
  return sums;
}

std::vector<double> BodyBalance::speeds(const std::vector<Vec3d>& v) const {
  const Topology& topology = *problem_.topology[0];
  std::vector<double> speed(topology.bodies.size(), 0);
  for (std::size_t i = 0; i < v.size(); ++i)
    if (is_translation(topology.kind[i]))
      speed[body_of_[i]] = std::max(speed[body_of_[i]], norm(v[i]));
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m)
    for (int end = 0; end < 2; ++end) {
      const std::int32_t body = side_[end][m];
      if (body < 0 || topology.bodies[body].kind != BodyKind::robot) continue;
      const Contact<double>& c = problem_.contacts[m];
      speed[body] = std::max(
          speed[body], norm(problem_.side_velocity(end == 0 ? c.side_i : c.side_j, v.data())));
    }
  return speed;
}

void BodyBalance::add_robot(int body, const std::vector<Vec3d>& force,
                            const std::vector<Vec3d>& residual, BodyError* error) const {
  const Body& of = problem_.topology[0]->bodies[body];
  const auto for_coordinates = [&](const auto& each) {
    for (int i = of.first_row; i < of.first_row + of.n_row; ++i) {
      const Mat3d D = problem_.A.block(problem_.A.pattern->diagonal[i]);
      for (int k = 0; k < 3; ++k) each(std::sqrt(D(k, k)), i, k);
    }
  };
  double scale = 0;
  for_coordinates([&](double a, int i, int k) {
    scale = std::max({scale, std::fabs(force[i][k]) / a, std::fabs(free_[i][k]) / a});
  });
  for_coordinates([&](double a, int i, int k) {
    const double off = std::fabs(residual[i][k]) / a;
    if (off > kZeroSpeed * a) error->raise(scale > 0 ? off / scale : 1.0, body);
  });
}

BodyError BodyBalance::of_momentum(const std::vector<Vec3d>& lambda,
                                   const std::vector<Vec3d>& residual) const {
  std::vector<Vec3d> force(problem_.b.size());
  add_forces(problem_, lambda, &force);
  BodyError worst;
  const std::vector<Body>& bodies = problem_.topology[0]->bodies;
  for (std::size_t k = 0; k < bodies.size(); ++k) {
    const int body = static_cast<int>(k);
    if (bodies[k].kind == BodyKind::robot) {
      add_robot(body, force, residual, &worst);
      continue;
    }
    const Sums net = sums_of(body, force), off = sums_of(body, residual), &free = free_sums_[k];
    const double scale = std::max(norm(net.force), norm(free.force));
    const double rounding = kRounding * net.pressing;
    if (norm(off.force) > std::max(kZeroSpeed * inertia_[k], rounding))
      worst.raise(scale > 0 ? norm(off.force) / scale : 1.0, body);
    if (norm(off.torque) > radius_[k] * std::max(kZeroSpeed * inertia_[k], rounding)) {
      const double turning = std::max({norm(net.torque), norm(free.torque), scale * radius_[k]});
      worst.raise(turning > 0 ? norm(off.torque) / turning : 1.0, body);
    }
  }
  return worst;
}

BodyError BodyBalance::of_law(const CommonOptions& options, const std::vector<Vec3d>& v,
                              const std::vector<Vec3d>& lambda) const {
  BodyError worst;
  const std::vector<double> speed = speeds(v);
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    const double gamma = compliance_[m];
    if (!(gamma > 0)) continue;
    const Contact<double>& c = problem_.contacts[m];
    const Vec3d u = c.R * (problem_.side_velocity(c.side_i, v.data()) -
                           problem_.side_velocity(c.side_j, v.data())) +
                    c.phi;
    const Vec3d natural = contact_update(law_of(options.projection, c), lambda[m], u, gamma,
                                         options.invertible_omega_m_Ns);
    const double off = gamma * norm(natural - lambda[m]);
    if (off <= kZeroSpeed) continue;
    double bound = 0;
    int lightest = -1;
    for (const std::vector<std::int32_t>& side : side_) {
      const std::int32_t body = side[m];
      if (body < 0) continue;
      bound = std::max({bound, kMoving * speed[body], kFree * free_speed_[body]});
      if (lightest < 0 || inertia_[body] < inertia_[lightest]) lightest = body;
    }
    worst.raise(bound > 0 ? off / bound : 1.0, lightest);
  }
  return worst;
}

double BodyBalance::speed(int m) const {
  const std::int32_t body = std::max(side_[0][m], side_[1][m]);
  return body < 0 ? 0 : group_speed_[body];
}

double BodyBalance::largest_load(int m) const {
  constexpr double kWedged = 10;  // contact forces in a wedge exceed the force on the wedge
  const std::int32_t body = std::max(side_[0][m], side_[1][m]);
  return body < 0 ? 0 : kWedged * group_inertia_[body];
}

bool BodyBalance::has_unequal_masses() const {
  for (std::size_t m = 0; m < problem_.contacts.size(); ++m) {
    if (side_[0][m] < 0 || side_[1][m] < 0) continue;
    const double a = inertia_[side_[0][m]], b = inertia_[side_[1][m]];
    if (a > 0 && b > 0 && std::max(a, b) / std::min(a, b) > kMostRatio) return true;
  }
  return false;
}

BodyError BodyBalance::worst(const CommonOptions& options, const std::vector<Vec3d>& v,
                             const std::vector<Vec3d>& lambda,
                             const std::vector<Vec3d>& residual) const {
  BodyError error = of_momentum(lambda, residual);
  const BodyError law = of_law(options, v, lambda);
  error.raise(law.share, law.body);
  return error;
}

BodyError body_error(const ContactProblem& problem, const CommonOptions& options,
                     const std::vector<Vec3d>& start, const std::vector<Vec3d>& v,
                     const std::vector<Vec3d>& lambda) {
  const std::vector<Vec3d> from = start.empty() ? std::vector<Vec3d>(v.size()) : start;
  const BodyBalance balance(problem, from, force_residual(problem, from, {}));
  std::vector<Vec3d> residual = force_residual(problem, v, lambda);
  for (Vec3d& force : residual) force = -force;
  return balance.worst(options, v, lambda, residual);
}

}  // namespace nodia
