#include "tools/compare/energy_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "host/errors/errors.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "kernels/core/error.hpp"

namespace nodia::studies {
namespace {

constexpr double kLawBound = 1e-6;

std::vector<Vec3d> difference(std::vector<Vec3d> a, const std::vector<Vec3d>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

std::vector<Vec3d> sum(std::vector<Vec3d> a, const std::vector<Vec3d>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] += b[i];
  return a;
}

/// Solution of `newton` at the smallest of three tolerances at which it converges.
Solution newton_solution(const ContactProblem& problem, const WarmStart& warm,
                         const CommonOptions& law) {
  SolverOptions options;
  options.solver = "newton";
  options.projection = law.projection;
  options.invertible_omega_m_Ns = law.invertible_omega_m_Ns;
  options.execution.threads = 1;
  Solution solution;
  for (const double tolerance : {1e-10, 1e-9, 1e-8}) {
    options.tolerance = tolerance;
    make_solver(options)->solve(problem, warm, &solution);
    if (solution.env[0].status == SolveStatus::converged) break;
  }
  return solution;
}

}  // namespace

EnergyError::EnergyError(const ContactProblem& problem)
    : problem_(problem), factor_(make_sparse_cholesky(fastest_factoriser())) {
  if (!factor_->factorise(problem.A.to_eigen()))
    throw RuntimeError("problem.A: not positive definite, its Cholesky factorisation failed");
}

double EnergyError::norm(const std::vector<Vec3d>& v) const {
  const std::vector<Vec3d> A_v = problem_.A.multiply(v);
  double squared = 0;
  for (std::size_t i = 0; i < v.size(); ++i) squared += dot(v[i], A_v[i]);
  return std::sqrt(squared);
}

std::vector<Vec3d> EnergyError::contradiction(const std::vector<Vec3d>& v,
                                              const std::vector<Vec3d>& lambda) const {
  return split(-factor_->solve(stacked(dynamics_residual(problem_, v, lambda))));
}

double EnergyError::distance(const Solution& solution, const std::vector<Vec3d>& v_ref) const {
  const std::vector<Vec3d> error = difference(solution.v, v_ref);
  const double of_v = norm(error),
               of_lambda = norm(sum(error, contradiction(solution.v, solution.lambda)));
  return of_v > of_lambda ? of_v : of_lambda;
}

Reference reference_of(const ContactProblem& problem, const WarmStart& warm,
                       const EnergyError& energy, const CommonOptions& law) {
  const Solution solution = newton_solution(problem, warm, law);
  Reference reference{solution.v, energy.norm(solution.v), 0, ""};
  const SolveReport& report = solution.env[0];
  if (report.status != SolveStatus::converged) {
    reference.reason = fmt::format("newton ended {}", name_of(report.status));
    return reference;
  }
  const std::vector<Vec3d> contradiction = energy.contradiction(solution.v, solution.lambda);
  const double of_law = natural_map_error(problem, 0, sum(solution.v, contradiction),
                                          solution.lambda, delassus_diagonal_estimate(problem),
                                          law.projection, law.invertible_omega_m_Ns);
  if (!(of_law <= kLawBound)) {
    reference.reason = fmt::format("the contact law is wrong by {:.1e}", of_law);
    return reference;
  }
  const Solution other = newton_solution(problem, {}, law);
  if (other.env[0].status != SolveStatus::converged) {
    reference.reason = fmt::format("from nothing newton ended {}", name_of(other.env[0].status));
    return reference;
  }
  const double estimate = report.absolute_floor ? 0 : report.error_estimate * reference.norm;
  reference.error = std::max({energy.norm(difference(solution.v, other.v)),
                              energy.norm(contradiction), std::isfinite(estimate) ? estimate : 0});
  return reference;
}

}  // namespace nodia::studies
