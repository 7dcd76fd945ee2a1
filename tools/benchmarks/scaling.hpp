/// Cost of solvers against node count: rows of `nodia scale`.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "scenarios/build/scenario.hpp"
#include "tools/benchmarks/power_fit.hpp"
#include "tools/benchmarks/study.hpp"

namespace nodia::studies {

struct ScalingOptions {
  std::vector<std::string> solvers{"cond", "auto", "pgs", "apgd"};
  bool by_own_rule = true;          ///< rows by each solver's own rule and tolerance
  double true_error = 1e-3;         ///< target of the rows at equal true error; 0: no such rows [-]
  bool reference = true;            ///< false: no true errors, and no rows at equal true error
  std::optional<double> tolerance;  ///< of the own rules; without a value own_tolerance()
  int skipped_steps = 0;            ///< steps before the averaged ones
  int steps = 20;                   ///< averaged steps
  std::optional<int> max_iterations;  ///< of a solve; without a value as many as limit_s allows
  double limit_s = 60;  ///< limit of one solve: rows that would need more are left out [s]
  double from_s = 0.5;  ///< time of the scenario at which the steps begin; the body starts there in
                        ///< its initial state [s]
  /// @throws InputError for the first broken rule
  void validate() const;
};

/// Tolerance of a solver in practice: 1e-3 if the solver estimates its error, 1e-4 if its rule is a
/// residual.
double own_tolerance(const std::string& solver);

/// Values of a row: one mesh size, solver and rule; means over the steps.
const Fields& scaling_fields();

/// Measures meshes (cases) in ascending order, so that rows that would be too slow are predicted.
///
/// The averaged steps are those of a trajectory by `auto` at a tolerance of 1e-3. COND at 1e-4
/// computes the skipped steps, because `auto` is slow while a body falls on its support. Every
/// solver first solves the problem before the steps, untimed, then each of them from the
/// trajectory's velocities and forces. If that takes little time, it is repeated up to five times,
/// and the least time of each step counts. Errors are relative to `auto` at 1e-9, whose own error
/// is measured. Solvers on the Delassus operator factorise with CHOLMOD if it is present, with
/// sparse right-hand sides.
class Scaling {
 public:
  using OnRow = std::function<void(const Row&)>;

  /// @param between_solves  may throw to end the study
  Scaling(
      const Scenario& scenario, const ScalingOptions& options,
      std::function<void()> between_solves = [] {});

  /// The scenario with its first soft body refined to about `n_node` nodes.
  /// @param on_row  called with each row as soon as it is known
  void measure(int n_node, const OnRow& on_row);

 private:
  struct Steps;
  struct Delassus;
  using Times = std::map<std::pair<std::string, std::string>, std::vector<SizeTime>>;

  Steps take_steps(int n_node) const;
  void add_references(Steps* steps) const;
  SolverOptions options_of(const std::string& solver) const;
  std::string refusal(const std::string& solver, const std::string& rule, const Steps& steps) const;
  Row row_of(const std::string& solver, const std::string& rule, const Steps& steps) const;
  Row measured(const SolverOptions& solver, const Row& of, const Steps& steps, Delassus* delassus);
  bool measure_at(const SolverOptions& solver, double target, const Steps& steps,
                  Delassus* delassus, Row* row);
  void add_iteration(const SolverOptions& cond, const Steps& steps, Row* row) const;

  Scenario scenario_;
  ScalingOptions options_;
  std::function<void()> between_solves_;
  Times worst_solve_;  ///< by solver and rule; ascending sizes [s]
  std::map<std::pair<std::string, std::string>, std::string>
      too_slow_;  ///< reason, since a smaller size
};

/// Power law of the time of a step against the number of nodes.
struct ScalingFit {
  std::string solver, rule, where;
  PowerFit fit;  ///< of total_ms [ms]
};
/// One law per solver and rule over the measured rows that reached their target; and of COND's own
/// rule inside and outside the core's cache.
std::vector<ScalingFit> fits_of(const std::vector<Row>& rows);

}  // namespace nodia::studies
