/// Friction-contact problems in the form and the coordinates of other programs (Siconos, fclib).
///
///   global   M v = q + H r,   u = H^T v + b        local   u = W r + q        (M stores W)
///   K = { |r_t| <= mu r_n }:  Signorini-Coulomb condition on (u, r) for every contact
///
/// A contact's block is (normal, t1, t2), in two dimensions (normal, t). The unit of r is that of
/// the file's M and q: an impulse [N s] in Siconos, a force [N] in ContactProblem.
#pragma once

#include <Eigen/Core>
#include <Eigen/SparseCore>
#include <string>
#include <vector>

namespace nodia {

enum class FrictionKind { global, local };
const char* name_of(FrictionKind kind);

/// Limits of a matrix's asymmetry, relative to its largest value: an asymmetry above the first is
/// reported, above the second (global) or third (local) rejected. The third is larger because other
/// programs compute W iteratively.
inline constexpr double kAsymmetryNoticed = 1e-10;
inline constexpr double kAsymmetryRefused = 1e-4;
inline constexpr double kAsymmetryRefusedLocal = 1e-2;

struct FrictionProblem {
  FrictionKind kind = FrictionKind::global;
  int dimension = 3;               ///< 2 or 3
  Eigen::SparseMatrix<double> M;   ///< global: [n_dof, n_dof]; local: W, [d n_contact, d n_contact]
  Eigen::SparseMatrix<double> H;   ///< [n_dof, d n_contact]; local: empty
  Eigen::VectorXd q;               ///< one value per row of M
  Eigen::VectorXd b;               ///< [d n_contact]; local: empty
  std::vector<double> mu;          ///< [n_contact] Coulomb coefficient, >= 0
  std::string title;               ///< title of an fclib file, or the file's name
  std::vector<std::string> notes;  ///< messages for the user

  int n_contact() const { return static_cast<int>(mu.size()); }
  int n_dof() const { return static_cast<int>(M.rows()); }
  /// max |M - M^T| / max |M| [-].
  double asymmetry() const;
  /// Checks the problem, compresses its matrices and notes a small asymmetry.
  /// @throws InputError `where: key = value (must be rule; hint)` for sizes that do not fit, values
  /// that are not finite, mu < 0, or an asymmetry of M that rounding cannot cause
  void validate(const std::string& where);
};

struct FrictionSolution {
  Eigen::VectorXd v;  ///< [n_dof]; local: empty
  Eigen::VectorXd r;  ///< [d n_contact]
  Eigen::VectorXd u;  ///< [d n_contact], recomputed from the problem
};

/// u = H^T v + b, local: W r + q.
Eigen::VectorXd contact_velocity(const FrictionProblem& problem, const Eigen::VectorXd& v,
                                 const Eigen::VectorXd& r);

/// Error with which Siconos compares solvers (fc3d_compute_error, gfc3d_compute_error), from the
/// problem's own numbers, r and, for global problems, v:
///
///   u~ = (u_n + mu |u_t|, u_t),   e_abs^2 = sum |r - P_K(r - u~)|^2
///   local:   e_abs / max(|q|, |r|, |u|)
///   global:  |q + H r - M v| / max(|q|, |M v|, |H r|) + e_abs / max(|u|, |r|)
///
/// A divisor that is zero up to rounding is omitted; a divisor that overflows makes the error NaN.
/// Impulses and velocities are added without scaling, so the value depends on the units of the
/// file.
double error_siconos(const FrictionProblem& problem, const Eigen::VectorXd& v,
                     const Eigen::VectorXd& r);

}  // namespace nodia
