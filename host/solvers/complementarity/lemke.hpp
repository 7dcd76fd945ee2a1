/// Lemke's complementary pivoting [Cottle, Pang, Stone, The linear complementarity problem, 4.4].
#pragma once

#include "host/solvers/complementarity/lcp.hpp"

namespace nodia {

struct LemkeOptions {
  int max_pivots = 0;        ///< >= 0; 0: 50 (n + 20)
  double tolerance = 1e-10;  ///< of lcp_error at the answer [-], > 0
};

/// Follows the almost complementary path from z0 d, d > 0, to a solution or to a secondary ray.
/// Scales rows and columns first; leaves by the lexicographic rule, which excludes cycles; B^-1 is
/// made anew from time to time and the answer from its basis, against rounding.
///
/// Status: converged; infeasible where the path ends in a ray (the problem has no solution, or one
/// that this path does not reach; with a copositive M, as contacts with friction have, and a q that
/// allows a solution, there is no ray); iteration_limit; stalled where rounding has lost the path;
/// not_a_number.
/// @throws InputError for sizes that do not fit
LcpAnswer lemke(const Lcp& lcp, const LemkeOptions& options = {});

}  // namespace nodia
