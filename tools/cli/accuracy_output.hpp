/// Output of `nodia compare --suite accuracy`: table, CSV and JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tools/command/csv_file.hpp"
#include "tools/command/text_table.hpp"
#include "tools/compare/accuracy_cost.hpp"

namespace nodia::cli {

/// Results of a case. They may be incomplete after an interrupt.
struct SuiteCase {
  std::string name;
  int n_node = 0;
  double n_contact = 0;
  int n_sample = 0;
  double reference_error = 0;
  double motion = 0;                  ///< AccuracyCaseRun::motion
  std::vector<std::string> left_out;  ///< AccuracyCaseRun::left_out
  int unconverged_steps = 0;          ///< number of unconverged steps of the trajectory
  std::string not_compared;           ///< reason why the case has no curves; else empty
  std::vector<studies::SolverCurve> curves;
};

/// Writes accuracy.csv. All methods throw RuntimeError if the file cannot be written.
class AccuracyCsv {
 public:
  explicit AccuracyCsv(const std::string& path);
  void add(const SuiteCase& of, const std::string& solver, const studies::AccuracyRow& row);
  /// Adds the reason why a solver or a case has no rows.
  void add_reason(const SuiteCase& of, const std::string& solver, const std::string& reason);

 private:
  CsvFile file_;
};

/// A row of the printed table: one solver on one case.
struct AccuracyLine {
  const SuiteCase& of;
  const studies::SolverCurve& curve;
  const studies::SolverCurve* automatic;  ///< curve of `auto` on this case, or null
};

Columns<AccuracyLine> accuracy_columns();
/// Prints notes about a case below its rows.
void print_accuracy_notes(const SuiteCase& of);

nlohmann::ordered_json accuracy_json(const std::vector<SuiteCase>& cases, bool complete);

}  // namespace nodia::cli
