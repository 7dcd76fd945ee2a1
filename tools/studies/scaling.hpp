/// Cost of COND against node count: rows of `nodia scale`.
#pragma once

#include <string>
#include <vector>

#include "scenarios/loader/scenario.hpp"

namespace nodia::studies {

struct ScalingOptions {
  int steps = 20;              ///< steps that are averaged
  int max_iterations = 20000;  ///< of a solve
  double from_s = 0.5;  ///< time of the scenario at which they begin; the body starts there in its
                        ///< initial state [s]
};

/// One mesh size; means over the steps.
struct ScalingRow {
  std::string solver;
  int n_node = 0, n_tet = 0, n_dof = 0, n_contact = 0, threads = 1;
  double iterations_paper = 0, iterations_residual = 0;
  int failed_paper = 0, failed_residual = 0;  ///< steps that did not converge
  double us_per_iteration = 0;                ///< of long runs, setup taken out
  double read_us =
      0;  ///< time to read an iteration's bytes once, at the speed measured for that many bytes
  double bytes_per_iteration = 0;
  double solver_ms = 0, dynamics_ms = 0;  ///< per step, residual rule
  double memory_MB = 0;  ///< resident memory of the process while the size is at hand
};

/// Power law total_ms = c n^exponent through rows, with its coefficient of determination.
struct PowerFit {
  int n_row = 0;
  double coefficient = 0, exponent = 0, r_squared = 0;
};

/// The scenario with its first soft body refined to about `n_node` nodes.
ScalingRow measure_size(const Scenario& scenario, int n_node, const ScalingOptions& options);

/// Fit of solver_ms + dynamics_ms over the rows whose iteration fits (or does not fit) in
/// `cache_bytes`.
PowerFit fit_total(const std::vector<ScalingRow>& rows, double cache_bytes, bool inside);

}  // namespace nodia::studies
