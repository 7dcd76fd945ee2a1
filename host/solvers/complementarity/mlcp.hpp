/// Mixed complementarity problems of impulses: entries are free, in intervals or friction sections.
///
///   w = A x + b,   x_set in C_set,   -w_set in the normal cone of C_set at x_set
///
/// Units: x [N s], w [m/s], A [1/kg]; or forces with A [m/(N s)].
#pragma once

#include <Eigen/Dense>
#include <limits>
#include <vector>

#include "host/solvers/complementarity/friction_law.hpp"
#include "host/solvers/complementarity/lcp.hpp"

namespace nodia {

/// The set of one entry of x, or of the three entries of a contact.
struct ForceSet {
  enum class Kind { interval, friction, contact };
  Kind kind = Kind::interval;
  int first = 0;  ///< entry of x; for a contact (n, t1, t2) the first of three
  double lower = 0, upper = std::numeric_limits<double>::infinity();  ///< bounds of an interval
  int normal = 0;           ///< friction: |x| <= mu1 x[normal], whose set comes earlier in the list
  double mu1 = 0, mu2 = 0;  ///< [-], >= 0
  FrictionLaw law{};        ///< law of a contact

  static ForceSet free(int entry);
  static ForceSet interval(int entry, double lower, double upper);
  static ForceSet not_negative(int entry) { return {.first = entry}; }
  static ForceSet friction(int entry, int normal, double mu);
  static ForceSet contact(int first, double mu1, double mu2, const FrictionLaw& law = {});
  int n_entry() const { return kind == Kind::contact ? 3 : 1; }
};

struct Mlcp {
  Eigen::MatrixXd A;           ///< [n, n]
  Eigen::VectorXd b;           ///< [n]
  std::vector<ForceSet> sets;  ///< every entry belongs to exactly one set

  int size() const { return static_cast<int>(b.size()); }
  /// @throws InputError for the first broken rule: sizes, one set per entry, lower <= upper,
  /// friction >= 0, normals before the friction that they bound
  void validate() const;
};

/// Converts an Lcp to a mixed problem.
Mlcp to_mlcp(const Lcp& lcp);

/// Projects x on the nearest point of every set, with sections at the projected normal impulse.
void project(const std::vector<ForceSet>& sets, Eigen::VectorXd* x);

/// Energy error of Enzenhoefer et al. at x, with w = A x + b and a = diag(A), summed over the sets:
/// scalar form for intervals and friction (box bounds), each contact by its law. Zero exactly at a
/// solution; in joules if x are impulses.
/// @throws InputError unless all a_i > 0: entries without inertia, like slacks of linearised
/// friction, have no energy; use friction sets instead
double energy_error(const Mlcp& mlcp, const Eigen::VectorXd& x);

/// Chen-Chen-Kanzow measure 1/2 phi . phi (Lu & Trinkle, (30) and (31)), xi = 0.7, from
///   phi(p, rho) = xi (p + rho - sqrt(p^2 + rho^2)) + (1 - xi) max(p, 0) max(rho, 0)
/// Intervals: (x - lower, w) and (upper - x, -w) at finite bounds, |w| without any. Contacts, by
/// their (16) to (21): (p_n, rho_n), (s, mu p_n - |p_t|) with the sliding speed s = |w_t|, and mu
/// p_n w_t + s p_t; scalar friction alike. Requires isotropic discs (strict) and scalar friction.
/// @throws InputError for another section
double cck_error(const Mlcp& mlcp, const Eigen::VectorXd& x, const Eigen::VectorXd& w);
double cck_function(double p, double rho);

}  // namespace nodia
