/// Cost of solvers against node count: rows of `nodia scale`.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "tools/benchmarks/power_fit.hpp"

namespace nodia::studies {

struct ScalingOptions {
  std::vector<std::string> solvers{"cond", "auto", "pgs", "apgd"};
  bool by_own_rule = true;            ///< rows of each solver's own rule and tolerance
  double true_error = 1e-3;           ///< target of the rows at equal true error; 0: none [-]
  bool reference = true;              ///< without it nothing is known of errors, and no such rows
  std::optional<double> tolerance;    ///< of the own rules; without it own_tolerance()
  int skipped_steps = 0;              ///< that go before those that are averaged
  int steps = 20;                     ///< that are averaged
  std::optional<int> max_iterations;  ///< of a solve; without it as many as limit_s allows
  double limit_s = 60;                ///< of one solve: rows that would need more are left out [s]
  double from_s = 0.5;  ///< time of the scenario at which the steps begin; the body starts there in
                        ///< its initial state [s]
  /// @throws InputError for the first broken rule
  void validate() const;
};

/// Tolerance that a solver has in practice: 1e-3 of those that estimate their error, 1e-4 of a
/// residual.
double own_tolerance(const std::string& solver);

/// What an iteration of COND costs, in its row by its own rule.
struct IterationRow {
  double iterations_paper = 0;  ///< by the paper's rule
  int failed_paper = 0;         ///< steps that did not converge by it
  double us_per_iteration = 0;  ///< of long runs, setup taken out
  double read_us = 0;  ///< time to read an iteration's bytes once, at the speed of so many bytes
  double bytes_per_iteration = 0;
};

/// One solver, rule and mesh size; means over the steps.
struct ScalingRow {
  std::string solver;
  std::string rule;      ///< "own", or "true error <= e"
  std::string left_out;  ///< why nothing was measured; empty where it was
  int n_node = 0, n_tet = 0, n_dof = 0, n_contact = 0;  ///< contacts of the last step
  int threads = 1, steps = 0;
  double tolerance = 0;
  bool reached = true;    ///< false where no tolerance brought the mean true error to the target
  double iterations = 0;  ///< of the solver's own kind
  double work_units = std::numeric_limits<double>::quiet_NaN();  ///< products with A; NaN: unknown
  double true_error = std::numeric_limits<double>::quiet_NaN();
  double reference_error = std::numeric_limits<double>::quiet_NaN();  ///< of the reference, largest
  double solver_ms = 0;                                               ///< factorisation included
  double dynamics_ms = 0;  ///< what goes before the solve
  int failed_steps = 0;    ///< that did not converge
  double memory_MB = 0;    ///< resident: the simulation, and what the solver adds at its highest
  std::optional<IterationRow> iteration;

  double total_ms() const { return solver_ms + dynamics_ms; }
};

/// Measures sizes in ascending order, so that what is too slow is known beforehand.
///
/// The steps are those of a trajectory by `auto` at a tolerance of 1e-3, those that are skipped by
/// COND at 1e-4: they only lead to where it begins, and a body that falls on its support takes
/// `auto` long. Every solver solves the problem before the steps first, untimed, then each of them,
/// from the trajectory's velocities and forces; where that takes little time, five times over, and
/// the least time of each step counts.
/// Errors are against `auto` at 1e-9, whose own error is measured. Solvers on the Delassus
/// operator factorise by CHOLMOD where it is present, with sparse right-hand sides.
class Scaling {
 public:
  using OnRow = std::function<void(const ScalingRow&)>;

  /// @param between_solves  may throw to end it all
  Scaling(
      const Scenario& scenario, const ScalingOptions& options,
      std::function<void()> between_solves = [] {});

  /// The scenario with its first soft body refined to about `n_node` nodes.
  /// @param on_row  called with each row as soon as it is there
  void measure(int n_node, const OnRow& on_row);

 private:
  struct Steps;
  struct Delassus;
  using Times = std::map<std::pair<std::string, std::string>, std::vector<SizeTime>>;

  Steps take_steps(int n_node) const;
  void add_references(Steps* steps) const;
  SolverOptions options_of(const std::string& solver) const;
  std::string refusal(const std::string& solver, const std::string& rule, const Steps& steps) const;
  ScalingRow row_of(const std::string& solver, const std::string& rule, const Steps& steps) const;
  void measure_rule(const SolverOptions& solver, bool own_rule, const Steps& steps,
                    Delassus* delassus, ScalingRow* row);
  bool measure_at(const SolverOptions& solver, double target, const Steps& steps,
                  Delassus* delassus, ScalingRow* row);
  IterationRow iteration_of(const SolverOptions& cond, const Steps& steps) const;

  Scenario scenario_;
  ScalingOptions options_;
  std::function<void()> between_solves_;
  Times worst_solve_;  ///< by solver and rule, by ascending size [s]
  std::map<std::pair<std::string, std::string>, std::string> too_slow_;  ///< since a size before
};

/// Fit of total_ms over the measured rows of a solver and rule that reached their target.
PowerFit fit_total(const std::vector<ScalingRow>& rows, const std::string& solver,
                   const std::string& rule);

/// The same over COND's rows by its own rule whose iteration fits (or does not fit) in
/// `cache_bytes`.
PowerFit fit_cond(const std::vector<ScalingRow>& rows, double cache_bytes, bool inside);

}  // namespace nodia::studies
