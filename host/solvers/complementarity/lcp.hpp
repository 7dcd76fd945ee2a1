/// Linear complementarity problems with any square matrix, nonsymmetric and indefinite included.
///
///   z >= 0,   w = M z + q >= 0,   z . w = 0
#pragma once

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "kernels/core/solve_status.hpp"

namespace nodia {

struct Lcp {
  Eigen::MatrixXd M;  ///< [n, n]
  Eigen::VectorXd q;  ///< [n]

  int size() const { return static_cast<int>(q.size()); }
  /// @throws InputError for inconsistent sizes
  void validate() const;
  bool is_finite() const { return M.allFinite() && q.allFinite(); }
};

/// Result of a method on an Lcp.
struct LcpSolution {
  Eigen::VectorXd z;  ///< [n]
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< text if it did not converge
  int iterations = 0;  ///< pivots, or Newton steps
};

/// Largest |min(z_i c_i, w_i/W_i)| [-], with W_i = sum_j |M_ij z_j| + |q_i|, the magnitude of the
/// terms of w_i, and c_i = max_j |M_ji|/W_j, the share of z_i in them. Independent of the units of
/// z and w; zero exactly at a solution, about 1e-16 at a solution with rounding.
double lcp_error(const Lcp& lcp, const Eigen::VectorXd& z);

/// Positive factors of rows and columns: z = column z', w = w'/row, M' = row M column, q' = row q.
/// The largest entries of M' are near 1 in every row and column, those of q' at most 1: impulses
/// and velocities become comparable. Complementary pairs stay complementary.
struct ScaledLcp {
  Lcp lcp;                      ///< M', q'
  Eigen::VectorXd row, column;  ///< [n]
};
ScaledLcp equilibrate(const Lcp& lcp);

/// All distinct solutions at nonsingular complementary bases, for small problems. A scalar problem
/// (Painleve's rod) has none, one or two.
/// @param lcp  n <= 16; of a continuum of solutions only the corners are found
/// @throws InputError for a larger problem
std::vector<Eigen::VectorXd> all_solutions(const Lcp& lcp);

/// "none", "unique", "two", or "many", for reports.
const char* count_in_words(std::size_t n_solution);

}  // namespace nodia
