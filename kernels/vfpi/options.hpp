/// Options of the V-FPI loop, as plain data for every backend.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/contact/contact.hpp"
#include "kernels/core/solve_status.hpp"

namespace nodia {

enum class WKind : std::uint8_t {
  frobenius,
  bb1,
  bb2,
  bb_alternating,
  alpha_identity,
  inf_norm,
  jacobi
};
constexpr auto words_of(WKind) {
  return std::array{Word{WKind::frobenius, "frobenius"},
                    Word{WKind::bb1, "bb1"},
                    Word{WKind::bb2, "bb2"},
                    Word{WKind::bb_alternating, "bb-alternating"},
                    Word{WKind::alpha_identity, "alpha"},
                    Word{WKind::inf_norm, "inf-norm"},
                    Word{WKind::jacobi, "jacobi"}};
}

enum class Acceleration : std::uint8_t { none, chebyshev, nesterov, heavy_ball };
constexpr auto words_of(Acceleration) {
  return std::array{Word{Acceleration::none, "none"}, Word{Acceleration::chebyshev, "chebyshev"},
                    Word{Acceleration::nesterov, "nesterov"},
                    Word{Acceleration::heavy_ball, "heavy_ball"}};
}

/// True for Barzilai-Borwein: two gradients determine alpha of each iteration.
NODIA_HD bool is_barzilai_borwein(WKind w) {
  return w == WKind::bb1 || w == WKind::bb2 || w == WKind::bb_alternating;
}

/// The option keys of the same names document meanings and ranges.
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
  double omega = 0;  ///< compliance of invertible contact [m/(N s)]
};

/// Scalar types of the state (Real) and of the matrix (Matrix): double precision.
struct DoublePrecision {
  using Real = double;
  using Matrix = double;
};
/// Mixed precision. A float matrix in difference form multiplies the float increment over a
/// reference velocity, whose gradient is known in double. Each residual test may move the reference
/// to the solution. Everything else, and the accuracy of the solution, is double.
struct MixedPrecision {
  using Real = double;
  using Matrix = float;
};
/// Float matrix in difference form and float state; sums are double.
struct FloatPrecision {
  using Real = float;
  using Matrix = float;
};

}  // namespace nodia

/// Expands a macro with a precision argument for each precision (explicit instantiations).
#define NODIA_FOR_EACH_PRECISION(expand) \
  expand(DoublePrecision) expand(MixedPrecision) expand(FloatPrecision)
