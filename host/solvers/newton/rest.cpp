#include "host/solvers/newton/rest.hpp"

#include <algorithm>
#include <cmath>

#include "host/solvers/newton/body_balance.hpp"
#include "kernels/contact/contact_update.hpp"

namespace nodia {
namespace {

/// Largest error, relative to one step of free fall, and the same relative to the tolerance.
constexpr double kLargestError = 1e-6, kBodyShare = 1e-3;
/// Largest net force on a body, relative to its sum of b.
constexpr double kBalance = 1e-9;

/// Force on a body and its mass: sums over all rows of the body but rotations.
struct BodySum {
  Vec3d force{};    ///< [N]
  double mass = 0;  ///< [kg]
};

std::vector<BodySum> sums_of(const ContactProblem& p, const std::vector<Vec3d>& force) {
  std::vector<BodySum> sums;
  for (const Body& body : p.topology[0]->bodies) {
    BodySum& sum = sums.emplace_back();
    for (int i = body.first_row; i < body.first_row + body.n_row; ++i) {
      if (p.topology[0]->kind[i] == RowKind::angular) continue;
      sum.force += force[i];
      sum.mass += p.mass[i];
    }
  }
  return sums;
}

}  // namespace

std::optional<Rest> find_rest(const ContactProblem& p, const CommonOptions& options,
                              const VelocityAndForce& start) {
  if (p.mass.empty() || p.contacts.empty() || start.v.size() == 0 || start.lambda.size() == 0)
    return {};
  const std::vector<Vec3d> lambda = split(start.lambda);
  const double bound = std::min(kLargestError, kBodyShare * options.tolerance);
  const std::vector<BodySum> weights = sums_of(p, p.b);
  double fall = 0;  // lower bound of |v|_A^2 after one step of free fall
  for (const BodySum& w : weights)
    if (w.mass > 0) fall += p.step_s / w.mass * squared_norm(w.force);
  const double largest = bound * bound * fall;
  std::vector<Vec3d> residual = p.b;
  double law_error = 0;
  for (std::size_t m = 0; m < lambda.size(); ++m) {
    const Contact<double>& c = p.contacts[m];
    const Vec3d force = transpose_times(c.R, lambda[m]);
    double compliance = 0;
    for (const double sign : {1.0, -1.0}) {
      const std::int32_t side = sign > 0 ? c.side_i : c.side_j;
      if (side == kWorld) continue;
      p.for_parts(side, [&](std::int32_t row, const Mat3d& J) {
        residual[row] += sign * transpose_times(J, force);
        compliance += trace(J * transpose(J)) / trace(p.A.block(p.A.pattern->diagonal[row]));
      });
    }
    if (!(compliance > 0)) continue;
    const Vec3d natural = contact_update(law_of(options.projection, c), lambda[m], c.phi,
                                         compliance, options.invertible_omega_m_Ns);
    law_error += compliance * squared_norm(natural - lambda[m]);
    if (!(law_error <= largest)) return {};
  }
  double momentum_error = 0;
  for (std::size_t i = 0; i < residual.size(); ++i) {
    momentum_error += p.step_s / p.mass[i] * squared_norm(residual[i]);
    if (!(momentum_error <= largest)) return {};
  }
  Rest rest;
  const std::vector<BodySum> off = sums_of(p, residual);
  for (std::size_t k = 0; k < off.size(); ++k)
    rest.is_balanced = rest.is_balanced && norm(off[k].force) <= kBalance * norm(weights[k].force);
  const std::vector<Vec3d> none(p.b.size());
  if (!(body_error(p, options, split(start.v), none, lambda).share <=
        kBodyShare * options.tolerance))
    return {};
  rest.error = fall > 0 ? std::sqrt(std::max(momentum_error, law_error) / fall) : 0.0;
  return rest;
}

void take_rest(const Rest& rest, const VelocityAndForce& start, VelocityAndForce* solution,
               SolveReport* report) {
  *solution = {Eigen::VectorXd::Zero(start.v.size()), start.lambda};
  report->status = SolveStatus::converged;
  report->reason.clear();
  report->error_estimate = rest.error;
  report->absolute_floor = true;  // relative to free fall, not to the velocity
  report->work_units = 1;
}

}  // namespace nodia
