#include "host/exchange/solve_local.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "host/solvers/linear/product_blocking.hpp"
#include "host/solvers/linear/stacked_vector.hpp"
#include "host/solvers/proximal_newton/proximal_newton.hpp"
#include "kernels/core/stopwatch.hpp"

namespace nodia {
namespace {

constexpr const char* kName = "proximal_newton";

/// W in three dimensions. For a plane problem the second tangent is an additional axis, at rest and
/// as compliant as the first.
Eigen::SparseMatrix<double> in_space(const FrictionProblem& p) {
  if (p.dimension == 3) return p.M;
  std::vector<Eigen::Triplet<double>> entries;
  const auto place = [](Eigen::Index i) { return static_cast<int>(i / 2 * 3 + i % 2); };
  for (int j = 0; j < p.M.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(p.M, j); entry; ++entry)
      entries.emplace_back(place(entry.row()), place(j), entry.value());
  for (int m = 0; m < p.n_contact(); ++m) {
    const double tangent = p.M.coeff(2 * m + 1, 2 * m + 1);
    entries.emplace_back(3 * m + 2, 3 * m + 2, tangent > 0 ? tangent : 1);
  }
  Eigen::SparseMatrix<double> W(3 * p.n_contact(), 3 * p.n_contact());
  W.setFromTriplets(entries.begin(), entries.end());
  return W;
}

LocalProblem local_problem(const FrictionProblem& p) {
  LocalProblem local{BlockColumns::of(in_space(p)), Eigen::VectorXd::Zero(3 * p.n_contact()), p.mu,
                     p.mu};
  for (int m = 0; m < p.n_contact(); ++m)
    local.q.segment(3 * m, p.dimension) = p.q.segment(p.dimension * m, p.dimension);
  return local;
}

/// Removes the second tangents of a plane problem.
Eigen::VectorXd in_file(const FrictionProblem& p, const Eigen::VectorXd& lambda) {
  if (p.dimension == 3) return lambda;
  Eigen::VectorXd r(2 * p.n_contact());
  for (int m = 0; m < p.n_contact(); ++m) r.segment<2>(2 * m) = lambda.segment<2>(3 * m);
  return r;
}

}  // namespace

bool solves_from_delassus_matrix(const std::string& solver) {
  return solver == kName;
}

ImportedSolve solve_local(const FrictionProblem& problem, const ImportedSolveOptions& options) {
  const Stopwatch watch;
  fix_product_blocking();
  ImportedSolve solve;
  solve.solver = kName;
  solve.rounds = 1;
  Eigen::VectorXd best = Eigen::VectorXd::Zero(3 * problem.n_contact());
  solve.error_siconos = error_siconos(problem, {}, in_file(problem, best));
  bool cancelled = false;
  LocalSolution answer;
  if (!(solve.error_siconos <= options.solver.tolerance)) {
    answer = proximal_newton(local_problem(problem), best, options.solver.max_iterations,
                             [&](const Eigen::VectorXd& lambda, const Eigen::VectorXd&) {
                               const double error =
                                   error_siconos(problem, {}, in_file(problem, lambda));
                               if (error < solve.error_siconos) {
                                 solve.error_siconos = error;
                                 best = lambda;
                               }
                               cancelled = options.cancel && options.cancel();
                               return cancelled || error <= options.solver.tolerance;
                             });
    solve.status = answer.status;
    solve.reason = answer.reason;
  } else {
    solve.status = SolveStatus::converged;
  }
  solve.iterations = answer.sweeps + answer.newton_steps;
  if (cancelled && !(solve.error_siconos <= options.solver.tolerance)) {
    solve.status = SolveStatus::iteration_limit;
    solve.reason = "interrupted";
  } else if (!std::isfinite(solve.error_siconos)) {
    solve.status = SolveStatus::not_a_number;
    solve.reason = "a norm that the error is measured by is not finite";
  } else if (solve.status == SolveStatus::iteration_limit) {
    solve.reason = fmt::format("{} iterations were not enough", solve.iterations);
  }
  solve.solution.lambda = split(best);
  solve.inner.status = solve.status;
  solve.inner.reason = solve.reason;
  solve.inner.iterations = solve.iterations;
  solve.inner.natural_map_error = solve.inner.energy_error_J =
      std::numeric_limits<double>::quiet_NaN();
  solve.time_s = watch.seconds();
  return solve;
}

}  // namespace nodia
