/// Linear complementarity problems of any square matrix, nonsymmetric and indefinite ones included.
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
  /// @throws InputError for sizes that do not fit
  void validate() const;
  bool is_finite() const { return M.allFinite() && q.allFinite(); }
};

/// How a method ended on an Lcp.
struct LcpAnswer {
  Eigen::VectorXd z;  ///< [n]
  SolveStatus status = SolveStatus::iteration_limit;
  std::string reason;  ///< in words where it is not converged
  int iterations = 0;  ///< pivots, or Newton steps
};

/// Worst pair |min(z_i c_i, w_i/W_i)| [-], with W_i = sum_j |M_ij z_j| + |q_i|, the size of what
/// w_i is the sum of, and c_i = max_j |M_ji|/W_j, the share that z_i has in it. The same in any
/// units of z and w; zero exactly at a solution, about 1e-16 at a solution to rounding.
double lcp_error(const Lcp& lcp, const Eigen::VectorXd& z);

/// Positive factors of rows and columns: z = column z', w = w'/row, M' = row M column, q' = row q.
/// Entries of M' are at most 1 and near it in every row and column, those of q' at most 1: impulses
/// and velocities become comparable. Complementary pairs stay complementary.
struct ScaledLcp {
  Lcp lcp;                      ///< M', q'
  Eigen::VectorXd row, column;  ///< [n]
};
ScaledLcp equilibrate(const Lcp& lcp);

/// Every solution at a nonsingular complementary basis, equal ones once: what theory says of a
/// small problem. A scalar one (Painleve's rod) has none, one or two.
/// @param lcp  n <= 16; continua of solutions are known by their corners alone
/// @throws InputError for a larger one
std::vector<Eigen::VectorXd> all_solutions(const Lcp& lcp);

/// "none", "unique", "two", or "many": for reports.
const char* count_in_words(std::size_t n_solution);

}  // namespace nodia
