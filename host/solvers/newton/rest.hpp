/// Detects steps at rest: with the contact forces of the last step, no body moves.
#pragma once

#include <optional>

#include "host/solvers/solve_by_environment.hpp"

namespace nodia {

/// Zero velocities and the forces of the last step as the solution of a step.
struct Rest {
  double error = 0;         ///< in the A-norm, relative to one step of free fall
  bool is_balanced = true;  ///< the net force on each body is at most 1e-9 of its sum of b
};

/// Factor on the solver's tolerance for a step at rest whose forces are not balanced.
inline constexpr double kToleranceOfRest = 1e-4;

/// Tests whether zero velocities and the forces of the start solve the step. The velocities are
/// zero, not small, so that bodies at rest do not creep. Returns no value if the error exceeds
/// min(1e-6, tolerance/1000), or if the error of a body on its own scale (body_balance.hpp) exceeds
/// tolerance/1000.
///
///   |A^-1 r|_A <= sqrt(h sum |r_i|^2/m_i),  r = b + J^T lambda,  as A >= M/h
///
/// @param problem  has one environment
/// @param start    velocity and forces of the last step. If one is empty, there is no value.
std::optional<Rest> find_rest(const ContactProblem& problem, const CommonOptions& options,
                              const VelocityAndForce& start);
/// Sets zero velocities and the forces of the start as the solution, with the status `converged`.
void take_rest(const Rest& rest, const VelocityAndForce& start, VelocityAndForce* solution,
               SolveReport* report);

}  // namespace nodia
