/// Semismooth Newton on an augmented Lagrangian, with projected smoothing between its steps, in
/// relative coordinates.
///
///   tau   = lambda - (u + omega lambda) r',   r' = 1/(1/r + omega)      trial forces
///   K dy  = -(K0 y - b - J^T P(tau)),         K = K0 + J^T r' P'(tau) J
///   y    += a dy,                             a from a line search with the sections held
///
/// P is the contact law (kernels/contact/tangent.hpp), r a penalty of 100 over the contact's
/// compliance; K is symmetric positive definite, where statics leaves forces open too. What is
/// returned has been smoothed: contacts of their own on a row meet the law exactly, forces are in
/// their cones. docs/solver.md has the algorithm and what is known of it.
///
/// `solver.tolerance` is that of `SolveReport::error_estimate`, the relative error of the velocity
/// in the norm of A.
#pragma once

#include <array>
#include <memory>

#include "host/solvers/interface.hpp"
#include "host/solvers/solver_options.hpp"

namespace nodia {

/// How a Newton step's equations are solved: by what suits the scene, or never by multigrid.
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
