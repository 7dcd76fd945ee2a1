/// What an iteration costs, counted and measured.
#pragma once

#include "host/solvers/contact_solver.hpp"

namespace nodia::studies {

/// Counted once per use: a value that a cache could keep between two uses is not counted twice, so
/// the bytes are the fewest that any format of full 3x3 blocks moves.
struct IterationCost {
  double bytes = 0;
  double flops = 0;  ///< additions, multiplications, divisions and roots; a fused one counts two
};

/// y = A x in the scalar row-major format, double.
IterationCost scalar_product_cost(const ContactProblem& problem);

/// y = A x in 3x3 blocks of one number type.
IterationCost block_product_cost(const ContactProblem& problem, Precision precision);

/// A whole fused iteration: matrix and pattern, y, v_prev, b and W, contacts with their forces, and
/// its two results v** and v_next. Every precision but double keeps the matrix in floats, every one
/// but float keeps the vectors in doubles.
IterationCost iteration_cost(const ContactProblem& problem, Precision precision);

/// A solve of the paper's loop that does not stop before its limit.
struct TimedSolve {
  double s = 0;        ///< wall time
  int iterations = 0;  ///< the limit, or fewer where the velocity no longer changes at all
};
TimedSolve timed_solve(const SolverOptions& options, const ContactProblem& problem,
                       const WarmStart& warm, int iterations);

/// Lengths of a short and a long solve, whose difference is free of setup.
struct SolveLengths {
  int few = 8, more = 0;
};
SolveLengths solve_lengths(int n_node);

}  // namespace nodia::studies
