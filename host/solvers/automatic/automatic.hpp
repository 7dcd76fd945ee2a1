/// `auto`: the solver that suits each environment.
///
///   soft bodies whose rows have no known position                              cond
///   otherwise                                                                  newton
///
/// If newton does not converge by its own rule, cond's rule (`residual`) decides: its solution is
/// returned if it meets that rule, otherwise cond's, and the report says so. A solution that is not
/// right for every body is never called converged.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

inline constexpr const char* kAutomaticName = "auto";

/// Properties that decide the choice.
struct KindOfScene {
  bool has_soft_body = false;
  bool has_places = true;  ///< its rows have positions
};

/// Name of the solver in the catalogue that suits an environment.
const char* suitable_solver(const KindOfScene& kind);
/// Same for one environment of a problem.
const char* suitable_solver(const ContactProblem& problem, int env);

/// Handles a newton solution that did not converge. If it meets cond's rule it stays, as it is more
/// exact. Otherwise cond starts from it and replaces it if cond converges. Both must also be right
/// for every body (newton/body_balance.hpp); else the solution of newton stays as it ended. The
/// reason says both.
/// @param warm  initial guess of the solve
/// @param out   newton's solution and its report
void fall_back(const ContactProblem& problem, const SolverOptions& options, const WarmStart& warm,
               int env, Solution* out);

std::unique_ptr<ContactSolver> make_automatic_solver(const SolverOptions& options);

}  // namespace nodia
