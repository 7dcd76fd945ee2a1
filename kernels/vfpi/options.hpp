/// What the V-FPI loop is asked to do, as plain data for every backend.
#pragma once

#include <cstdint>

#include "kernels/contact/contact.hpp"

namespace nodia {

enum class StopRule : std::uint8_t { residual, paper };
enum class WKind : std::uint8_t { frobenius, bb1, bb2, bb_alternating, alpha_identity, inf_norm };
enum class Acceleration : std::uint8_t { none, chebyshev, nesterov };
enum class SolveStatus : std::uint8_t {
  converged,
  iteration_limit,
  stalled,
  diverged,
  infeasible,
  not_a_number,
  failed  ///< solved, but the step carried a body through a surface (host/simulation)
};

/// Barzilai-Borwein: alpha of each iteration from two gradients.
NODIA_HD bool is_barzilai_borwein(WKind w) {
  return w == WKind::bb1 || w == WKind::bb2 || w == WKind::bb_alternating;
}

/// Rules and ranges: SolverOptions of host/solvers/contact_solver.hpp.
struct VfpiOptions {
  StopRule stop = StopRule::residual;
  double tolerance = 1e-4;
  int max_iterations = 2000;
  int check_every = 8;
  Projection projection = Projection::strict;
  WKind w = WKind::frobenius;
  Acceleration acceleration = Acceleration::chebyshev;
  double under_relaxation = 0.95;
  int slow_start = 5;
  double omega = 0;  ///< of invertible contact [m/(N s)]
};

/// Scalars of the state and of the matrix in the iteration.
struct DoublePrecision {
  using Real = double;
  using Matrix = double;
};
/// A float matrix in difference form, applied to the float increment over a reference velocity
/// whose gradient is known in double; the reference moves to the last answer whenever the residual
/// is tested. Everything else is double, and so is the accuracy of the answer.
struct MixedPrecision {
  using Real = double;
  using Matrix = float;
};
/// A float matrix in difference form and a float state; sums are double.
struct FloatPrecision {
  using Real = float;
  using Matrix = float;
};

}  // namespace nodia
