/// W of the V-FPI iteration, one value a node, and its spectral guard (Lee et al., IV-C; math.md
/// section 4).
#pragma once

#include "fem/block_matrix.hpp"
#include "host/solvers/contact_solver.hpp"

namespace nodia {

/// The guard keeps lambda_max(W A) at or below this: Theorem 2 needs less than 2.
inline constexpr double kSpectralTarget = 1.9;
/// Allowance for the power iteration, which estimates from below.
inline constexpr double kSpectralMargin = 1.05;

/// Rows [begin, end) of A: one environment.
struct RowRange {
  int begin = 0, end = 0;
  int size() const { return end - begin; }
};

/// Unguarded W of the rows:
///   frobenius                  trace(A_ii) / sum of squares of the node's three rows: minimises |I
///   - W A|_F with one value a node alpha_identity             1, to be scaled by alpha bb1, bb2,
///   bb_alternating   3/trace(A_ii): the metric that each iteration's alpha scales inf_norm 1 / max
///   over the three rows of sum |A|: lambda_max(W A) <= 1 without an estimate
/// @param w  out, indexed by row of A [s/kg]
void fill_step_size(const BlockMatrix& A, RowRange rows, WKind kind, int n_thread, double* w);

/// Fixed pseudo-random start of the power iteration.
void fill_power_start(RowRange rows, Vec3d* x);

/// Estimate from below of lambda_max(W A) over the rows: power iteration with the Rayleigh quotient
/// x.Ax / x.W^-1 x.
/// @param w           W, indexed by row of A [s/kg]
/// @param x           start vector, and the last iterate for the next call; indexed by row, entries
/// of the rows only
/// @param workspace   indexed by row
/// @param iterations  products with A, > 0
double estimate_lambda_max(const BlockMatrix& A, RowRange rows, const double* w, int iterations,
                           int n_thread, Vec3d* x, Vec3d* workspace);

}  // namespace nodia
