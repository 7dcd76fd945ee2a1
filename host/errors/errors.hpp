/// One set of error measures evaluates every solver's solution (v, lambda): math.md section 6.
#pragma once

#include <memory>
#include <vector>

#include "host/problem/contact_problem.hpp"
#include "kernels/contact/contact_state.hpp"
#include "kernels/contact/solution_errors.hpp"

namespace nodia {

/// r = A v - b - Jc^T lambda, per node [N].
std::vector<Vec3d> dynamics_residual(const ContactProblem& p, const std::vector<Vec3d>& v,
                                     const std::vector<Vec3d>& lambda);
/// Jc^T lambda per node [N].
std::vector<Vec3d> contact_force(const ContactProblem& p, const std::vector<Vec3d>& lambda);
/// u = Jc v + phi per contact, contact frame [m/s].
std::vector<Vec3d> contact_velocity(const ContactProblem& p, const std::vector<Vec3d>& v);
/// Weight 1/m of a node in the inverse-mass norm; tr(A_ii)/3 inverted where the problem has no
/// mass.
double inverse_mass_weight(const ContactProblem& p, int node);
/// Block-diagonal estimate of the Delassus diagonal, diag(J blockdiag(A)^-1 J^T): per contact, its
/// three axes [m/(N s)].
std::vector<Vec3d> delassus_diagonal_estimate(const ContactProblem& p);
/// Exact Delassus diagonal from a sparse Cholesky factor of every environment (`--errors full`).
/// @throws RuntimeError where A is not positive definite
std::vector<Vec3d> delassus_diagonal_exact(const ContactProblem& p);
/// The same for the contacts of one environment: its entries of `diagonal`, [n_contact] of the
/// whole problem. Different environments may be filled at the same time.
void delassus_diagonal_estimate(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal);
void delassus_diagonal_exact(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal);

/// SolutionErrors, and those that other programs and papers hold answers against.
struct ErrorReport : SolutionErrors {
  double error_siconos = 0;       ///< of gfc3d_compute_error: e_dyn + e_cpl, rho = 1, on forces and
                                  ///< velocities (units mixed)
  double energy_error_J = 0;      ///< Enzenhofer et al. (5), cone form [J]
  double energy_error_box_J = 0;  ///< the same with the box bounds of the paper [J]
  double penetration_velocity = 0;  ///< max(0, -u_n) [m/s]
};
/// Touches the environment's own nodes and contacts only, and gives the bits that the environment
/// gives as a problem of its own.
/// @param v, lambda  of the whole problem
/// @param diagonal  per contact diagonal compliance (estimate or exact), as above
/// @param model     the contact law the solution is held against in natural_map_error: Coulomb
/// (strict), or the convex relaxation (28)
/// @param omega     of invertible contact [m/(N s)]: contact conditions are those of u + omega
/// lambda, with omega added to `diagonal`
/// @param n_thread  over nodes; the bits do not depend on it
ErrorReport measure_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                           const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                           Projection model = Projection::strict, double omega = 0,
                           int n_thread = 1);
/// The same without those of ErrorReport alone.
SolutionErrors solution_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                               const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                               Projection model = Projection::strict, double omega = 0,
                               int n_thread = 1);

/// The natural-map contact error of the residual rule: worst d_m |lambda - P_K(lambda - u~/d_m)|,
/// u~ De Saxce's modified velocity (u itself for the convex relaxation), d_m the contact's diagonal
/// compliance; divided by the larger of max |lambda_m| d_m and max |u_m| [-].
double natural_map_error(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                         const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                         Projection model = Projection::strict, double omega = 0);

/// Bound of |v - v_exact|_A / |v|_A [-], docs/solver.md: proved for the proximal law, observed for
/// the strict one. Factorises A twice.
/// @param p          of one environment
/// @param v, lambda  its solution
/// @param diagonal   as above
/// @return           NaN where the problem has none: contacts whose error no motion takes away
double velocity_error_bound(const ContactProblem& p, const std::vector<Vec3d>& v,
                            const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                            Projection model, double omega = 0);

/// Invertible contact: the forces from velocities alone, lambda_m = project(-(Jc v + phi)_m/omega).
/// @param v      of a solution that meets its contact conditions [m/s]
/// @param omega  the solution's, > 0 [m/(N s)]
/// @return       per contact, contact frame [N]
/// @throws InputError for another omega
std::vector<Vec3d> recover_contact_forces(const ContactProblem& p, const std::vector<Vec3d>& v,
                                          Projection model, double omega);

/// True error |v_c - v_ref|_A / |v_ref|_A with v_c = A^-1 (b + Jc^T lambda), over the whole problem
/// [-].
class TrueError {
 public:
  /// Factorises A. @throws RuntimeError where A is not positive definite
  TrueError(const ContactProblem& p, const std::vector<Vec3d>& v_ref);
  ~TrueError();
  double operator()(const std::vector<Vec3d>& lambda) const;
  /// v_c = A^-1 (b + Jc^T lambda)
  std::vector<Vec3d> consistent_velocity(const std::vector<Vec3d>& lambda) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::vector<ContactState> contact_states(const ContactProblem& p, const std::vector<Vec3d>& lambda);

}  // namespace nodia
