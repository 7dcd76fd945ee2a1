/// Output of `nodia compare` for one scenario: a table, row by row, or JSON.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tools/command/text_table.hpp"
#include "tools/compare/comparison.hpp"

namespace nodia::cli {

/// Row of the printed table.
struct ComparedRow {
  const studies::ComparisonRow& measured;
  std::optional<double> cond_ms;  ///< solver_ms of COND's row for the same purpose, if measured
};

Columns<ComparedRow> comparison_columns();

/// Stores all rows and adds each one to the table immediately.
class MeasuredRows {
 public:
  explicit MeasuredRows(RowTable<ComparedRow>* table) : table_(table) {}

  void add(studies::ComparisonRow row);
  /// Adds a row of the ablation. It has no ratio to COND, because all its rows are COND's.
  void add_ablation(studies::ComparisonRow row);
  const std::vector<studies::ComparisonRow>& all() const { return rows_; }

 private:
  void keep(studies::ComparisonRow row, std::optional<double> cond_ms);

  RowTable<ComparedRow>* table_;
  std::map<std::string, double> cond_ms_;  ///< by purpose
  std::vector<studies::ComparisonRow> rows_;
};

/// Prints the ratio of iterations without and with Chebyshev acceleration for each W and rule of an
/// ablation.
void print_ratios(const std::vector<studies::ComparisonRow>& rows);

/// Rows as one JSON object.
/// @param step_s           time step of the scenario [s]
/// @param n_sample         number of steps that were compared
/// @param reference_error  Samples::reference_error
std::string comparison_json(const std::vector<studies::ComparisonRow>& rows,
                            const std::string& scenario, double step_s, int n_sample,
                            double reference_error);

}  // namespace nodia::cli
