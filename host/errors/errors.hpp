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
/// Weight 1/m of a node in the inverse-mass norm; 3/tr(A_ii) if the problem has no mass.
double inverse_mass_weight(const ContactProblem& p, int node);
/// Block-diagonal estimate of the Delassus diagonal, diag(J blockdiag(A)^-1 J^T): per contact, its
/// three axes [m/(N s)].
std::vector<Vec3d> delassus_diagonal_estimate(const ContactProblem& p);
/// Exact Delassus diagonal from a sparse Cholesky factor of every environment (`--errors full`).
/// @throws RuntimeError if A is not positive definite
std::vector<Vec3d> delassus_diagonal_exact(const ContactProblem& p);
/// Same for one environment: sets its entries of `diagonal`, [n_contact] of the whole problem.
/// Threads may fill different environments at the same time.
void delassus_diagonal_estimate(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal);
void delassus_diagonal_exact(const ContactProblem& p, int env, std::vector<Vec3d>* diagonal);

/// SolutionErrors, and the errors that other programs and papers use.
struct ErrorReport : SolutionErrors {
  double error_siconos = 0;   ///< error of gfc3d_compute_error: e_dyn + e_cpl, rho = 1, from forces
                              ///< and velocities (mixed units)
  double energy_error_J = 0;  ///< Enzenhofer et al. (5), cone form [J]
  double energy_error_box_J = 0;    ///< same with the box bounds of the paper [J]
  double penetration_velocity = 0;  ///< max(0, -u_n) [m/s]
};
/// Errors of one environment. Reads only its nodes and contacts, with the same bits as a problem
/// that consists of this environment alone.
/// @param v, lambda  solution of the whole problem
/// @param diagonal   diagonal compliance per contact (estimate or exact), see above
/// @param model      contact law of natural_map_error: Coulomb (strict), or the convex relaxation
/// (28)
/// @param omega      of invertible contact [m/(N s)]: u + omega lambda replaces u in the contact
/// conditions, and omega is added to `diagonal`
/// @param n_thread   threads over the nodes; the bits do not depend on it
ErrorReport measure_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                           const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                           Projection model = Projection::strict, double omega = 0,
                           int n_thread = 1);
/// Same without the additional errors of ErrorReport.
SolutionErrors solution_errors(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                               const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                               Projection model = Projection::strict, double omega = 0,
                               int n_thread = 1);

/// Natural-map contact error of the rule `residual`: largest d_m |lambda - P_K(lambda - u~/d_m)|,
/// divided by the larger of max |lambda_m| d_m and max |u_m| [-]. u~ is De Saxce's modified
/// velocity (u itself for the convex relaxation), d_m the contact's diagonal compliance.
double natural_map_error(const ContactProblem& p, int env, const std::vector<Vec3d>& v,
                         const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                         Projection model = Projection::strict, double omega = 0);

/// Bound of |v - v_exact|_A / |v|_A [-] (docs/solver.md). It is proved for the proximal law, and
/// observed for the strict one. Factorises A twice.
/// @param p          has one environment
/// @param v, lambda  its solution
/// @param diagonal   see measure_errors()
/// @return           NaN if there is no bound: no motion removes the error of some contacts
double velocity_error_bound(const ContactProblem& p, const std::vector<Vec3d>& v,
                            const std::vector<Vec3d>& lambda, const std::vector<Vec3d>& diagonal,
                            Projection model, double omega = 0);

/// Computes the forces of invertible contact from velocities alone, lambda_m = project(-(Jc v +
/// phi)_m/omega).
/// @param v      velocities of a solution that satisfies its contact conditions [m/s]
/// @param omega  omega of the solution, > 0 [m/(N s)]
/// @return       force per contact, contact frame [N]
/// @throws InputError for another omega
std::vector<Vec3d> recover_contact_forces(const ContactProblem& p, const std::vector<Vec3d>& v,
                                          Projection model, double omega);

/// True error |v_c - v_ref|_A / |v_ref|_A with v_c = A^-1 (b + Jc^T lambda), over the whole problem
/// [-].
class TrueError {
 public:
  /// Factorises A. @throws RuntimeError if A is not positive definite
  TrueError(const ContactProblem& p, const std::vector<Vec3d>& v_ref);
  ~TrueError();
  double operator()(const std::vector<Vec3d>& lambda) const;
  /// v_c = A^-1 (b + Jc^T lambda) [m/s].
  std::vector<Vec3d> consistent_velocity(const std::vector<Vec3d>& lambda) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

std::vector<ContactState> contact_states(const ContactProblem& p, const std::vector<Vec3d>& lambda);

}  // namespace nodia
