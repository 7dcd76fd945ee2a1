/// `auto`: the solver that suits each environment.
///
///   soft bodies whose rows have no known place                                 cond
///   otherwise                                                                  newton
///
/// What newton does not solve by its own rule ends by cond's (`residual`), with newton's answer
/// where that meets it, otherwise with cond's, and the report says so. No choice depends on the
/// backend.
#pragma once

#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

inline constexpr const char* kAutomaticName = "auto";

/// What the choice depends on.
struct KindOfScene {
  bool has_soft_body = false;
  bool has_places = true;  ///< of its rows
};

/// Name of the solver in the catalogue that suits an environment.
const char* suitable_solver(const KindOfScene& kind);
/// The same of one environment of a problem.
const char* suitable_solver(const ContactProblem& problem, int env);

/// An answer of newton that did not converge by its rule and meets cond's is taken as it is: it is
/// the more exact one. Otherwise gives the environment to cond, which starts from that answer, and
/// takes its own where that converges. The reason in the report says both.
/// @param out  newton's answer, and its report
void fall_back(const ContactProblem& problem, const SolverOptions& options, int env, Solution* out);

std::unique_ptr<ContactSolver> make_automatic_solver(const SolverOptions& options);

}  // namespace nodia
