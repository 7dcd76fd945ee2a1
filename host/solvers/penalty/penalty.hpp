/// Penalty contact: a spring and a damper along the normal, Coulomb friction made regular by a
/// viscous gain [Yamane & Nakamura 2006].
///
///   lambda = project( -k t u_n - c (Jc v)_n,  -d u_t ),   u = Jc v + phi
///
/// project is the strict projection on the friction cone, so that |lambda_t| = min(d |u_t|, mu
/// lambda_n); k [N/m], c [N s/m], d [N s/m]. The gap is taken from phi: t u_n is the gap at the end
/// of the step, t phi_n the gap at its start, where phi_n = gap/t. That holds for theta = 1, no
/// restitution, and `contact: {penetration_recovery: 1}` with a recovery_speed_m_s above the
/// deepest penetration over t; with less recovery the spring feels that share of the penetration
/// only. The damper acts in contacts that are closed at the start of the step (phi_n <= 0), so that
/// nothing brakes in mid-air; normal motion of an obstacle counts as gap.
///
/// Gains act
///   implicit  at the end of the step: stable for all gains. A v = b + Jc^T lambda(v) is solved by
///             secant gains, one factorisation an iteration; where k t is far above A (from about
///             a thousand times) contacts may open and close in turn: iteration_limit;
///   explicit  at the start of the step, as a penalty model is usually integrated: lambda from phi
///             and the warm start's velocity, one solve. Bounces and diverges for large gains.
///
/// Table I of Lee et al. does not print its gains: the defaults, times `gain` = 1 (Penalty1) and 10
/// (Penalty2), are ours; scenarios/box_sliding/README.md says how they were found.
///
/// A penalty force never meets Signorini's condition: `converged` says that v and lambda meet the
/// penalty law, natural_map_error how far they are from Coulomb's.
#pragma once

#include <array>
#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Where in the step the gains act.
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

/// @throws InputError for options that have no meaning here: invertible contact
std::unique_ptr<ContactSolver> make_penalty_solver(const SolverOptions& options);

}  // namespace nodia
