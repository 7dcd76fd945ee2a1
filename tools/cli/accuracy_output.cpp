#include "tools/cli/accuracy_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "host/io/machine.hpp"
#include "host/solvers/catalogue.hpp"
#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

using studies::AccuracyRow;
using studies::cost_at;
using studies::SolverCurve;

const std::vector<std::string> kCsvColumns{"case",
                                           "n_node",
                                           "n_contact",
                                           "samples",
                                           "reference_error",
                                           "motion",
                                           "solver",
                                           "stop",
                                           "tolerance",
                                           "true_error_mean",
                                           "true_error_median",
                                           "true_error_worst",
                                           "error_estimate",
                                           "iterations",
                                           "work_units",
                                           "cpu_ms",
                                           "delassus_ms",
                                           "unconverged",
                                           "floor_ended",
                                           "reason"};

/// AccuracyCaseRun::motion() below which a case is reported to be nearly at rest.
constexpr double kRest = 1e-4;

/// A true error at which the table has costs.
struct TableError {
  double error;
  const char* name;
};
constexpr TableError kTableErrors[] = {{1e-3, "1e-3"}, {1e-6, "1e-6"}};

std::optional<double> work_at(const SolverCurve& curve, double error) {
  return cost_at(curve, error, &AccuracyRow::work_units);
}

std::optional<double> cpu_ms_at(const SolverCurve& curve, double error) {
  return cost_at(curve, error, &AccuracyRow::cpu_ms);
}

/// Text of a number; empty for NaN.
std::string cell(double x) {
  return std::isnan(x) ? "" : fmt::format("{:.6g}", x);
}

/// First cells of a row.
std::vector<std::string> cells_of(const SuiteCase& of, const std::string& solver) {
  return {of.name,
          fmt::format("{}", of.n_node),
          fmt::format("{:.1f}", of.n_contact),
          fmt::format("{}", of.n_sample),
          fmt::format("{:.3g}", of.reference_error),
          cell(of.motion),
          solver};
}

std::string shown(const std::optional<double>& x) {
  if (!x) return "-";
  return *x >= 1000 ? fmt::format("{:.0f}", *x) : fmt::format("{:.3g}", *x);
}

/// Ratio of two costs; absent if one of them is absent or the second is not positive.
std::optional<double> ratio(const std::optional<double>& a, const std::optional<double>& b) {
  if (!a || !b || !(*b > 0)) return std::nullopt;
  return *a / *b;
}

nlohmann::ordered_json number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json number(const std::optional<double>& x) {
  return x ? number(*x) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json row_json(const AccuracyRow& row) {
  return {{"stop", name_of(row.stop)},
          {"tolerance", row.tolerance},
          {"true_error_mean", number(row.mean_error)},
          {"true_error_median", number(row.median_error)},
          {"true_error_worst", number(row.worst_error)},
          {"error_estimate", number(row.estimate)},
          {"iterations", row.iterations},
          {"work_units", number(row.work_units)},
          {"cpu_ms", row.cpu_ms},
          {"delassus_ms", row.delassus_ms},
          {"unconverged", row.unconverged},
          {"floor_ended", row.floor_ended}};
}

nlohmann::ordered_json curve_json(const SolverCurve& curve) {
  nlohmann::ordered_json all{{"solver", curve.solver}, {"ended", curve.ended}};
  all["at_error"] = nlohmann::ordered_json::array();
  for (const auto& [error, name] : kTableErrors)
    all["at_error"].push_back({{"true_error", error},
                               {"work_units", number(work_at(curve, error))},
                               {"cpu_ms", number(cpu_ms_at(curve, error))}});
  all["rows"] = nlohmann::ordered_json::array();
  for (const AccuracyRow& row : curve.rows) all["rows"].push_back(row_json(row));
  return all;
}

}  // namespace

AccuracyCsv::AccuracyCsv(const std::string& path) : file_(path, kCsvColumns) {}

void AccuracyCsv::add(const SuiteCase& of, const std::string& solver, const AccuracyRow& row) {
  std::vector<std::string> cells = cells_of(of, solver);
  cells.insert(cells.end(),
               {name_of(row.stop), fmt::format("{:.3g}", row.tolerance), cell(row.mean_error),
                cell(row.median_error), cell(row.worst_error), cell(row.estimate),
                fmt::format("{}", row.iterations), cell(row.work_units), cell(row.cpu_ms),
                cell(row.delassus_ms), fmt::format("{}", row.unconverged),
                fmt::format("{}", row.floor_ended)});
  cells.resize(kCsvColumns.size());
  file_.write(cells);
}

void AccuracyCsv::add_reason(const SuiteCase& of, const std::string& solver,
                             const std::string& reason) {
  std::vector<std::string> cells = cells_of(of, solver);
  cells.resize(kCsvColumns.size());
  cells.back() = reason;
  file_.write(cells);
}

Columns<AccuracyLine> accuracy_columns() {
  using L = AccuracyLine;
  Columns<L> columns{
      {"case", Align::left, 20, "scenario, with mesh size and stiffness",
       [](const L& l) { return l.of.name; }},
      {"n_node", Align::right, 6, "number of nodes",
       [](const L& l) { return fmt::format("{}", l.of.n_node); }},
      {"n_contact", Align::right, 9, "mean number of contacts per step",
       [](const L& l) { return fmt::format("{:.1f}", l.of.n_contact); }},
      {"solver", Align::left, 15, "name of the solver", [](const L& l) { return l.curve.solver; }},
  };
  for (const TableError& at : kTableErrors) {
    const double error = at.error;
    const std::string name = at.name;
    columns.push_back({"work_" + name, Align::right, 9,
                       "work per step for a mean true error of " + name +
                           ", in products with the matrix A; -: not reached or not counted",
                       [=](const L& l) { return shown(work_at(l.curve, error)); }});
    columns.push_back(
        {"cpu_ms_" + name, Align::right, 11,
         "CPU time per step for a mean true error of " + name + " [ms]; -: not reached",
         [=](const L& l) { return shown(cpu_ms_at(l.curve, error)); }});
    columns.push_back({"times_auto_" + name, Align::right, 15,
                       "cpu_ms_" + name + " over that of auto", [=](const L& l) {
                         if (!l.automatic) return shown(std::nullopt);
                         return shown(
                             ratio(cpu_ms_at(l.curve, error), cpu_ms_at(*l.automatic, error)));
                       }});
  }
  columns.push_back({"ended", Align::left, 0,
                     "why smaller errors were not tried; empty: a mean true error of 1e-6 was "
                     "reached",
                     [](const L& l) { return l.curve.ended; }});
  return columns;
}

void print_accuracy_notes(const SuiteCase& of) {
  if (!of.not_compared.empty()) fmt::print("{:<20} not compared: {}\n", of.name, of.not_compared);
  if (of.not_compared.empty() && of.motion < kRest)
    fmt::print(
        "  nearly at rest: it moves by {:.1e} of its free motion, and errors are relative to that "
        "motion\n",
        of.motion);
  if (of.unconverged_steps > 0)
    fmt::print("  {} steps of the trajectory did not converge\n", of.unconverged_steps);
  for (const std::string& sample : of.left_out)
    if (of.not_compared.empty()) fmt::print("  left out, no trusted reference: {}\n", sample);
  std::fflush(stdout);
}

nlohmann::ordered_json accuracy_json(const std::vector<SuiteCase>& cases, bool complete) {
  nlohmann::ordered_json root;
  root["format"] = "nodia_accuracy";
  root["format_version"] = 1;
  root["version"] = kVersion;
  root["commit"] = kCommit;
  const Machine machine = this_machine();
  root["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}};
  root["complete"] = complete;
  root["cases"] = nlohmann::ordered_json::array();
  for (const SuiteCase& of : cases) {
    nlohmann::ordered_json one{{"case", of.name},
                               {"n_node", of.n_node},
                               {"n_contact", of.n_contact},
                               {"samples", of.n_sample},
                               {"reference_error", of.reference_error},
                               {"motion", number(of.motion)},
                               {"left_out", of.left_out},
                               {"unconverged_steps", of.unconverged_steps},
                               {"refused", of.not_compared}};
    one["solvers"] = nlohmann::ordered_json::array();
    for (const SolverCurve& curve : of.curves) one["solvers"].push_back(curve_json(curve));
    root["cases"].push_back(one);
  }
  return root;
}

}  // namespace nodia::cli
