#include "tools/cli/accuracy_output.hpp"

#include <fmt/format.h>

#include <cmath>

#include "host/io/machine.hpp"
#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tools/command/build_info.hpp"

namespace nodia::cli {
namespace {

using studies::AccuracyRow;
using studies::cost_at;
using studies::SolverCurve;

constexpr const char* kColumns =
    "case,n_node,n_contact,samples,reference_error,motion,solver,stop,tolerance,true_error_mean,"
    "true_error_median,true_error_worst,error_estimate,iterations,work_units,cpu_ms,delassus_ms,"
    "unconverged,floor_ended,reason";

/// Motion over free motion below which a case is told to be at rest.
constexpr double kRest = 1e-4;

/// Empty for what is no number.
std::string cell(double x) {
  return std::isnan(x) ? "" : fmt::format("{:.6g}", x);
}

/// Quoted: reasons hold commas.
std::string quoted(const std::string& text) {
  std::string all = "\"";
  for (const char c : text) all += c == '"' ? "\"\"" : std::string(1, c);
  return all + "\"";
}

std::string of_case(const SuiteCase& of) {
  return fmt::format("{},{},{:.1f},{},{:.3g},{}", of.name, of.n_node, of.n_contact, of.n_sample,
                     of.reference_error, cell(of.motion));
}

std::string shown(const std::optional<double>& x) {
  if (!x) return "-";
  return *x >= 1000 ? fmt::format("{:.0f}", *x) : fmt::format("{:.3g}", *x);
}

/// Of two costs.
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
  for (const double error : kTableErrors)
    all["at_error"].push_back(
        {{"true_error", error},
         {"work_units", number(cost_at(curve, error, &AccuracyRow::work_units))},
         {"cpu_ms", number(cost_at(curve, error, &AccuracyRow::cpu_ms))}});
  all["rows"] = nlohmann::ordered_json::array();
  for (const AccuracyRow& row : curve.rows) all["rows"].push_back(row_json(row));
  return all;
}

}  // namespace

AccuracyCsv::AccuracyCsv(const std::string& path) : path_(path), file_(path) {
  write(kColumns);
}

void AccuracyCsv::write(const std::string& line) {
  file_ << line << '\n' << std::flush;
  if (!file_) throw RuntimeError(fmt::format("{}: cannot be written", path_));
}

void AccuracyCsv::add(const SuiteCase& of, const std::string& solver, const AccuracyRow& row) {
  write(fmt::format("{},{},{},{:.3g},{},{},{},{},{:.6g},{},{:.6g},{:.6g},{},{},", of_case(of),
                    solver, name_of(row.stop), row.tolerance, cell(row.mean_error),
                    cell(row.median_error), cell(row.worst_error), cell(row.estimate),
                    row.iterations, cell(row.work_units), row.cpu_ms, row.delassus_ms,
                    row.unconverged, row.floor_ended));
}

void AccuracyCsv::add_reason(const SuiteCase& of, const std::string& solver,
                             const std::string& reason) {
  write(fmt::format("{},{},,,,,,,,,,,,,{}", of_case(of), solver, quoted(reason)));
}

void print_accuracy_header() {
  fmt::print("{:<20} {:>6} {:>8} {:<15} | {:>9} {:>9} {:>7} | {:>9} {:>9} {:>7} |\n", "", "", "",
             "", "to 1e-3:", "CPU ms", "times", "to 1e-6:", "CPU ms", "times");
  fmt::print("{:<20} {:>6} {:>8} {:<15} | {:>9} {:>9} {:>7} | {:>9} {:>9} {:>7} | {}\n", "case",
             "nodes", "contacts", "solver", "products", "a step", "auto", "products", "a step",
             "auto", "where it ended");
}

void print_accuracy_line(const SuiteCase& of, const SolverCurve& curve,
                         const SolverCurve* automatic) {
  std::string line =
      fmt::format("{:<20} {:>6} {:>8.1f} {:<15} |", of.name, of.n_node, of.n_contact, curve.solver);
  for (const double error : kTableErrors) {
    const std::optional<double> ms = cost_at(curve, error, &AccuracyRow::cpu_ms);
    std::optional<double> of_auto;
    if (automatic) of_auto = cost_at(*automatic, error, &AccuracyRow::cpu_ms);
    line +=
        fmt::format(" {:>9} {:>9} {:>7} |", shown(cost_at(curve, error, &AccuracyRow::work_units)),
                    shown(ms), shown(ratio(ms, of_auto)));
  }
  fmt::print("{} {}\n", line, curve.ended);
  std::fflush(stdout);
}

void print_accuracy_notes(const SuiteCase& of) {
  if (!of.refused.empty()) fmt::print("{:<20} not compared: {}\n", of.name, of.refused);
  if (of.refused.empty() && of.motion < kRest)
    fmt::print(
        "  at rest, as good as: it moves by {:.1e} of its free motion, and errors are relative to "
        "that\n",
        of.motion);
  if (of.unconverged_steps > 0)
    fmt::print("  {} steps of the trajectory did not converge\n", of.unconverged_steps);
  for (const std::string& sample : of.left_out)
    if (of.refused.empty()) fmt::print("  left out, no trusted reference: {}\n", sample);
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
                               {"refused", of.refused}};
    one["solvers"] = nlohmann::ordered_json::array();
    for (const SolverCurve& curve : of.curves) one["solvers"].push_back(curve_json(curve));
    root["cases"].push_back(one);
  }
  return root;
}

}  // namespace nodia::cli
