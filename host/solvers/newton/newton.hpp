/// Semismooth Newton on an augmented Lagrangian with projected smoothing, in relative coordinates.
///
///   tau   = lambda - (u + omega lambda) r',   r' = 1/(1/r + omega)      trial forces
///   K dy  = -(K0 y - b - J^T P(tau)),         K = K0 + J^T r' P'(tau) J
///   y    += a dy,                             a from a line search with the sections held
///
/// P is the contact law (kernels/contact/tangent.hpp) and r a penalty (newton_step.cpp). K is
/// symmetric positive definite, even if statics does not determine the forces. The solution has
/// been smoothed: contacts with their own row satisfy the law exactly, and forces are in their
/// cones. docs/solver.md describes the algorithm and its properties.
///
/// `solver.tolerance` bounds `SolveReport::error_estimate`, the relative velocity error in A-norm.
#pragma once

#include <array>
#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// Linear solver of a Newton step: chosen by the scene, or never multigrid.
enum class LinearSolver : std::uint8_t { automatic, direct };
constexpr auto words_of(LinearSolver) {
  return std::array{Word{LinearSolver::automatic, "auto"}, Word{LinearSolver::direct, "direct"}};
}

struct NewtonOptions {
  LinearSolver linear_solver = LinearSolver::automatic;
};
void visit_keys(KeyVisitor& v, NewtonOptions& o);

std::unique_ptr<ContactSolver> make_newton_solver(const SolverOptions& options);

}  // namespace nodia
