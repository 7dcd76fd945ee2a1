/// COND in plain text, an equation a line: what the fast loop (kernels/vfpi) is held against,
/// iterate by iterate, and the place to read the method first (docs/algorithm.md). Double
/// precision, one thread.
///
/// It leaves out what the method of the paper can do without: the safe iteration that takes over
/// where the residual grows or stalls, and with it every reason to give up early; the return to the
/// best answer; the absolute floor of the residual rule; recycling of W over steps.
#pragma once

#include <functional>
#include <memory>

#include "host/solvers/cond/reference/cond_reference_w.hpp"
#include "host/solvers/interface.hpp"
#include "kernels/contact/contact_update.hpp"

namespace nodia {

/// The steps of the loop that a caller may replace.
struct ReferenceSteps {
  StepSizeMatrix W;
  /// lambda+ of one contact.
  std::function<Vec3d(const ContactLaw<double>&, Vec3d lambda, Vec3d u, double gamma, double omega)>
      contact = &contact_update<double>;
  /// nu of iteration l >= 2 from that of the last one, (38).
  std::function<double(double nu, double rho, int l, int slow_start)> next_nu = &chebyshev_nu;
  /// Called after every iteration.
  std::function<void(const ReferenceState&)> observe = [](const ReferenceState&) {};

  /// 1 (l < ls),  2/(2 - rho^2) (l = ls),  4/(4 - rho^2 nu) (l > ls)
  static double chebyshev_nu(double nu, double rho, int l, int slow_start);
};

/// The loop, from `state` to its stop. Fills the report's status, iterations and velocity_step.
void iterate_reference(const NodalSystem& system, const ReferenceSteps& steps,
                       const SolverOptions& options, ReferenceState* state, SolveReport* report);

/// Catalogue entry "cond_reference".
std::unique_ptr<ContactSolver> make_cond_reference_solver(const SolverOptions& options);

}  // namespace nodia
