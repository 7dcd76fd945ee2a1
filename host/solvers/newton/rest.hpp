/// Steps at rest: with the contact forces of the last step no body moves.
#pragma once

#include <optional>

#include "host/solvers/solve_by_environment.hpp"

namespace nodia {

/// Zero velocities and the forces of the last step as the solution of a step.
struct Rest {
  double error = 0;         ///< in the A-norm, relative to one step of free fall
  bool is_balanced = true;  ///< no force on a body is left, to 1e-9 of its sum of b
};

/// Share of the tolerance to which a step at rest is solved that is not balanced yet.
inline constexpr double kToleranceOfRest = 1e-4;

/// Tests whether zero velocities and the forces of the start solve the step. No value if the error
/// exceeds min(1e-6, tolerance/1000), or a body is not right to tolerance/1000 on its own scale
/// (body_balance.hpp). The velocities are zero, not small, so that nothing creeps.
///
///   |A^-1 r|_A <= sqrt(h sum |r_i|^2/m_i),  r = b + J^T lambda,  as A >= M/h
///
/// @param problem  has one environment
/// @param start    velocity and forces of the last step; each may be empty: not at rest then
std::optional<Rest> find_rest(const ContactProblem& problem, const CommonOptions& options,
                              const VelocityAndForce& start);
/// Ends the step with zero velocities and the forces of the start.
void take_rest(const Rest& rest, const VelocityAndForce& start, VelocityAndForce* solution,
               SolveReport* report);

}  // namespace nodia
