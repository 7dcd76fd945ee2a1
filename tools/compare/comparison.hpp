/// Compares solvers on the same problems: rows of `nodia compare`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "host/solvers/cond/options.hpp"
#include "host/solvers/delassus/operator.hpp"
#include "host/solvers/solver_options.hpp"
#include "tools/compare/samples.hpp"

namespace nodia::studies {

/// Result of one solve.
struct SampleRow {
  int step = 0;
  SampleErrors errors;
  double dynamics_ms = 0, solver_ms = 0, delassus_ms = 0;
  int iterations = 0;
  SolveStatus status = SolveStatus::iteration_limit;
};

/// Means over the samples.
struct ComparisonRow {
  std::string purpose;  ///< reason for the tolerance: "paper", "residual", "true error <= e" or
                        ///< "N iterations"
  SolverOptions options;
  double max_penetration_m = 0;
  double internal_force_error_N = 0;
  double sensor_force_error_N = 0;
  double displacement_error_m = 0;
  double true_error = 0;
  double dynamics_ms = 0;
  double solver_ms = 0;    ///< whole solve, including delassus_ms
  double delassus_ms = 0;  ///< factorisation and Delassus operator
  double iterations = 0;
  int failed_steps = 0;
  std::vector<SampleRow> samples;
  bool reached = true;  ///< false if the mean true error exceeds the target at every tolerance
};

struct ComparisonOptions {
  bool by_paper = true, by_residual = true, by_true_error = true;  ///< kinds of rows
  std::vector<int> iterations;  ///< rows with these fixed numbers of iterations; >= 1
  std::vector<WKind> ablation_w{
      WKind::frobenius,      WKind::bb1,     WKind::bb2, WKind::bb_alternating,
      WKind::alpha_identity, WKind::inf_norm};
  bool fairer_baselines = true;   ///< also use CHOLMOD with sparse right-hand sides, if present
  double paper_tolerance = 1e-4;  ///< |v_new - v_old| of the `paper` rule [m/s]
  double residual_tolerance = kOwnTolerance;  ///< of the solver's own rule, such as `residual` [-]
  double true_error = 1e-3;                   ///< target of the rows at equal true error [-]
};

/// Runs solvers on the samples. Solvers on the Delassus operator share one operator per sample and
/// factoriser; its time is added to each of their solves.
class Comparison {
 public:
  /// Called with each row as soon as it is measured. May throw.
  using Take = std::function<void(ComparisonRow)>;

  Comparison(Samples& samples, const ComparisonOptions& options)
      : samples_(samples), options_(options) {}

  /// Measures the rows of one solver that the options select: by the paper rule, by the residual
  /// rule, at equal true error (the loosest residual tolerance of 10^0, 10^-1/2, 10^-1 ... whose
  /// mean true error is at most the target), and after fixed numbers of iterations. Solvers on the
  /// Delassus operator have these rows for the paper's baseline (SimplicialLLT, dense right-hand
  /// sides) and, if CHOLMOD is present, for the fairer baseline.
  void measure_rows(const SolverOptions& solver, const Take& take);
  /// Measures COND by the paper and residual rules for every W of the options, with and without
  /// Chebyshev acceleration.
  void measure_ablation(const SolverOptions& solver, const Take& take);

 private:
  using Solve = std::function<void(const Sample&, const SolverOptions&, Solution*)>;
  ComparisonRow measure(const std::string& purpose, const SolverOptions& options,
                        const Solve& solve);
  void measure_rows_by_rule(const SolverOptions& solver, const Solve& solve, const Take& take);
  using Operators = std::map<int, std::unique_ptr<DelassusOperator>>;  ///< by step
  Operators operators_of(const SolverOptions& options) const;

  Samples& samples_;
  ComparisonOptions options_;
  Operators baseline_;  ///< operators of the paper's baselines
};

}  // namespace nodia::studies
