/// Lemke's complementary pivoting [Cottle, Pang, Stone, The linear complementarity problem, 4.4].
#pragma once

#include "host/solvers/complementarity/lcp.hpp"

namespace nodia {

struct LemkeOptions {
  int max_pivots = 0;        ///< >= 0; 0: 50 (n + 20)
  double tolerance = 1e-10;  ///< of lcp_error at the solution [-], > 0
};

/// Follows the almost complementary path from z0 d, d > 0, to a solution or to a secondary ray. It
/// scales rows and columns first and uses the lexicographic rule, which excludes cycles. Against
/// rounding it recomputes B^-1 regularly, and the solution from its basis.
///
/// Status: converged; infeasible if the path ends in a ray (without a solution, or without one on
/// this
/// path; a copositive M, as of contacts with friction, has no ray if q allows a solution);
/// iteration_limit; stalled if rounding has lost the path; not_a_number.
/// @throws InputError for inconsistent sizes
LcpSolution lemke(const Lcp& lcp, const LemkeOptions& options = {});

}  // namespace nodia
