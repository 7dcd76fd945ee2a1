/// Every solver on the same problems: rows of `nodia compare`.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tools/studies/samples.hpp"

namespace nodia::studies {

/// Means over the samples.
struct ComparisonRow {
  std::string purpose;  ///< why this tolerance: "paper", "residual", or "true error <= e"
  SolverOptions options;
  double max_penetration_m = 0;
  double internal_force_error_N = 0;
  double sensor_force_error_N = 0;
  double displacement_error_m = 0;
  double true_error = 0;
  double dynamics_ms = 0;
  double solver_ms = 0;    ///< whole solve, Delassus part included
  double delassus_ms = 0;  ///< factorisation and Delassus operator
  double iterations = 0;
  int failed_steps = 0;
  bool reached = true;  ///< false where no tolerance brought the mean true error down to the target
};

struct ComparisonOptions {
  double paper_tolerance = 1e-4;     ///< |v_new - v_old| of the `paper` rule [m/s]
  double residual_tolerance = 1e-4;  ///< of the `residual` rule [-]
  double true_error = 1e-3;          ///< target of the rows at equal true error [-]
};

/// Runs solvers on the samples. Solvers on the Delassus operator share one operator per sample and
/// factoriser, whose time is charged to each of their solves.
class Comparison {
 public:
  Comparison(Samples& samples, const ComparisonOptions& options)
      : samples_(samples), options_(options) {}

  /// The rows of one solver: by the paper rule, by the residual rule, and at equal true error (the
  /// loosest residual tolerance out of 10^0, 10^-1/2, 10^-1 ... whose mean true error is at most
  /// the target). Solvers on the Delassus operator have the three rows for the paper's baseline
  /// (SimplicialLLT, dense right-hand sides) and, where CHOLMOD is present, for the fairer one.
  std::vector<ComparisonRow> rows_of(const SolverOptions& solver);
  /// COND by the paper and residual rules for every W, with and without Chebyshev acceleration.
  std::vector<ComparisonRow> ablation(const SolverOptions& solver);

 private:
  using Solve = std::function<void(const Sample&, const SolverOptions&, Solution*)>;
  ComparisonRow measure(const std::string& purpose, const SolverOptions& options,
                        const Solve& solve);
  std::vector<ComparisonRow> three_rows(const SolverOptions& solver, const Solve& solve);

  Samples& samples_;
  ComparisonOptions options_;
};

}  // namespace nodia::studies
