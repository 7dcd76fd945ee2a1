/// Penalty contact: a spring and a damper along the normal, and Coulomb friction regularised by a
/// viscous gain [Yamane & Nakamura 2006].
///
///   lambda = project( -k t u_n - c (Jc v)_n,  -d u_t ),   u = Jc v + phi
///
/// project is the strict projection on the friction cone, so |lambda_t| = min(d |u_t|, mu
/// lambda_n); k [N/m], c [N s/m], d [N s/m]. The gap follows from phi: t u_n is the gap at the end
/// of the step, t phi_n at its start, with phi_n = gap/t. This requires theta = 1, no restitution,
/// and `contact: {penetration_recovery: 1}` with a recovery_speed_m_s above the deepest penetration
/// over t; with less recovery the spring has only that share of the penetration. The damper acts in
/// contacts that are closed at the start of the step (phi_n <= 0), so it does not brake before
/// contact; normal motion of an obstacle counts as gap.
///
/// Gains act
///   implicit  at the end of the step: stable for all gains. A v = b + Jc^T lambda(v) is solved by
///             secant gains, one factorisation per iteration; if k t is far above A (from about a
///             thousand times) contacts may open and close in turn: iteration_limit;
///   explicit  at the start of the step, as penalty models are usually integrated: lambda from phi
///             and the initial velocity, one solve. Bounces and diverges for large gains.
///
/// Table I of Lee et al. does not print its gains. The defaults, times `gain` = 1 (Penalty1) and 10
/// (Penalty2), are our own; scenarios/box_sliding/README.md explains them.
///
/// `converged` refers to the penalty law, natural_map_error to Coulomb's, which it never satisfies.
#pragma once

#include <array>
#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Time in the step at which the gains act.
enum class PenaltyIntegration { implicit, explicit_ };
constexpr auto words_of(PenaltyIntegration) {
  return std::array{Word{PenaltyIntegration::implicit, "implicit"},
                    Word{PenaltyIntegration::explicit_, "explicit"}};
}

struct PenaltyOptions {
  double stiffness_N_m = 100;   ///< k, spring of every contact
  double damping_N_s_m = 2;     ///< c, damper along the normal
  double friction_N_s_m = 1.4;  ///< d, viscous gain of friction below the cone
  double gain = 1;              ///< factor on all gains [-]
  PenaltyIntegration integration = PenaltyIntegration::implicit;
};
void visit_keys(KeyVisitor& v, PenaltyOptions& o);

/// @throws InputError for unsupported options: invertible contact
std::unique_ptr<ContactSolver> make_penalty_solver(const SolverOptions& options);

}  // namespace nodia
