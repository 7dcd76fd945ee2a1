/// Reference solver of COND, one equation per line, for comparison with the fast loop
/// (kernels/vfpi) iterate by iterate. It is the code to read first (docs/algorithm.md). Double
/// precision, one thread.
///
/// It omits what the paper's method does not need: the safe iteration for a growing or stalled
/// residual and all early stops, the return to the best iterate, the absolute tolerance of the
/// residual rule, and reuse of W over steps.
#pragma once

#include <functional>
#include <memory>

#include "host/solvers/cond/reference/cond_reference_w.hpp"
#include "host/solvers/interface.hpp"
#include "kernels/contact/contact_update.hpp"

namespace nodia {

/// Steps of the loop that a caller can replace.
struct ReferenceSteps {
  StepSizeMatrix W;
  /// lambda+ of one contact.
  std::function<Vec3d(const ContactLaw<double>&, Vec3d lambda, Vec3d u, double gamma, double omega)>
      contact = &contact_update<double>;
  /// nu of iteration l >= 2 from the nu before, (38).
  std::function<double(double nu, double rho, int l, int slow_start)> next_nu = &chebyshev_nu;
  /// Called after every iteration.
  std::function<void(const ReferenceState&)> observe = [](const ReferenceState&) {};

  /// 1 (l < ls),  2/(2 - rho^2) (l = ls),  4/(4 - rho^2 nu) (l > ls)
  static double chebyshev_nu(double nu, double rho, int l, int slow_start);
};

/// Iterates from `state` to the stop. Sets the report's status, iterations and velocity_step.
void iterate_reference(const NodalSystem& system, const ReferenceSteps& steps,
                       const SolverOptions& options, ReferenceState* state, SolveReport* report);

/// Catalogue entry "cond_reference".
std::unique_ptr<ContactSolver> make_cond_reference_solver(const SolverOptions& options);

}  // namespace nodia
