/// `nodia scale`: cost of solvers against node count, as a table, a CSV and a plot.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/io/machine.hpp"
#include "kernels/core/error.hpp"
#include "tools/benchmarks/row_table.hpp"
#include "tools/benchmarks/scaling.hpp"
#include "tools/benchmarks/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/output_options.hpp"
#include "tools/command/progress.hpp"
#include "tools/command/python.hpp"
#include "tools/compare/refinement.hpp"

namespace nodia::cli {
namespace {

using Json = nlohmann::ordered_json;
using studies::Row;
using studies::ScalingFit;

struct ScaleOptions {
  ScenarioOptions scenario;
  std::vector<int> nodes{500, 1500, 6000, 25000, 100000};
  studies::ScalingOptions scaling;
  std::vector<std::string> rules{"own", "true_error"};
  std::string directory;
  OverwriteFlag overwrite;
  bool no_reference = false, json = false;
};

/// Time over that of COND by the same rule, if that is among the rows.
std::string times_cond(const Row& row, const std::vector<Row>& rows) {
  if (!row.at("reached")) return "not met";
  std::string ratio = "-";
  for (const Row& c : rows)
    if (c.at("solver") == "cond" && c.at("rule") == row.at("rule") &&
        c.at("n_node") == row.at("n_node") && c.at("left_out") == "")
      ratio =
          fmt::format("{:.2f}", row.at("total_ms").get<double>() / c.at("total_ms").get<double>());
  return ratio;
}

/// @param rows  all that are known when a row is printed
Columns<Row> scale_columns(const std::vector<Row>* rows) {
  using enum Align;
  return {shows("solver", left, 10, "solver"),
          shows("rule", left, 19, "rule"),
          shows("nodes", right, 8, "n_node"),
          shows("contacts", right, 9, "n_contact"),
          shows("th", right, 2, "threads"),
          shows("tol.", right, 8, "tolerance", "{:.1e}"),
          shows("iter.", right, 9, "iterations", "{:.1f}"),
          shows("work", right, 9, "work_units", "{:.1f}"),
          shows("true err.", right, 9, "true_error", "{:.2e}"),
          shows("solver ms", right, 11, "solver_ms", "{:.3f}"),
          shows("dyn. ms", right, 9, "dynamics_ms", "{:.3f}"),
          {"x cond", right, 7, "", [rows](const Row& row) { return times_cond(row, *rows); }},
          shows("failed", right, 6, "failed_steps"),
          shows("mem. MB", right, 8, "memory_MB", "{:.0f}")};
}

void print_left_out(const Row& row) {
  fmt::print("{:<10} {:<19} {:>8} {:>9} left out: {}\n", shown(row.at("solver")),
             shown(row.at("rule")), shown(row.at("n_node")), shown(row.at("n_contact")),
             shown(row.at("left_out")));
  std::fflush(stdout);
}

Columns<Row> iteration_columns() {
  using enum Align;
  return {shows("iteration", left, 10, "solver"),
          shows("nodes", right, 8, "n_node"),
          shows("tets", right, 9, "n_tet"),
          shows("it. paper", right, 10, "iterations_paper", "{:.1f}"),
          shows("us/it.", right, 11, "us_per_iteration", "{:.2f}"),
          shows("read us", right, 9, "read_us", "{:.2f}"),
          {"ratio", right, 6, "",
           [](const Row& row) {
             return fmt::format("{:.2f}", row.at("us_per_iteration").get<double>() /
                                              row.at("read_us").get<double>());
           }},
          shows("kB/node", right, 8, "memory_kB_per_node", "{:.2f}"),
          {"", left, 0, "", [](const Row& row) {
             const int failed = row.at("failed_paper");
             return failed > 0 ? fmt::format(" {} steps not converged", failed) : "";
           }}};
}

void print_iterations(const std::vector<Row>& rows) {
  const Columns<Row> columns = iteration_columns();
  bool head = false;
  for (const Row& row : rows) {
    if (row.at("in_cache").is_null()) continue;
    if (!head) {
      fmt::print("\n");
      print_header(columns, kRowGap);
    }
    head = true;
    print_row(columns, row, kRowGap);
  }
  if (head) fmt::print("\n");
}

void print_fit(const ScalingFit& f) {
  const std::string what = fmt::format("{}, {}, {}", f.solver, f.rule, f.where);
  if (f.fit.n_row < 2)
    fmt::print("{}: {} size{}, no fit\n", what, f.fit.n_row, f.fit.n_row == 1 ? "" : "s");
  else
    fmt::print("{}: total ms = {:.3g} n^{:.3f} over {} sizes, R^2 = {:.4f}\n", what,
               f.fit.coefficient, f.fit.exponent, f.fit.n_row, f.fit.r_squared);
}

void print_json(const std::vector<Row>& rows, const Scenario& scenario,
                const studies::ScalingOptions& scaling) {
  const Machine machine = this_machine();
  Json root{{"format", "nodia_scale"},
            {"format_version", 2},
            {"scenario", scenario.scene.name},
            {"version", kVersion},
            {"commit", kCommit},
            {"machine", {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}}},
            {"from_s", scaling.from_s},
            {"skipped_steps", scaling.skipped_steps},
            {"limit_s", scaling.limit_s}};
  root["fits"] = Json::array();
  for (const ScalingFit& f : studies::fits_of(rows))
    root["fits"].push_back({{"solver", f.solver},
                            {"rule", f.rule},
                            {"where", f.where},
                            {"sizes", f.fit.n_row},
                            {"coefficient_ms", f.fit.coefficient},
                            {"exponent", f.fit.exponent},
                            {"r_squared", f.fit.r_squared}});
  root["rows"] = rows;
  fmt::print("{}\n", root.dump(2));
}

studies::ScalingOptions scaling_of(const ScaleOptions& options, const Scenario& scenario) {
  studies::ScalingOptions scaling = options.scaling;
  const SolverFlags& flags = options.scenario.solver;
  if (flags.stop)
    throw_bad_value("--stop", *flags.stop, "left out", "every solver stops by its own rule");
  if (flags.max_iterations) scaling.max_iterations = scenario.solver.max_iterations;
  const auto& set = options.scenario.settings;
  if (flags.tolerance || std::any_of(set.begin(), set.end(), [](const std::string& s) {
        return s.rfind("solver.tolerance=", 0) == 0;
      }))
    scaling.tolerance = scenario.solver.tolerance;
  scaling.reference = !options.no_reference;
  scaling.by_own_rule = false;
  bool by_true_error = false;
  for (const std::string& rule : options.rules) {
    if (rule == "own")
      scaling.by_own_rule = true;
    else if (rule == "true_error")
      by_true_error = true;
    else
      throw_bad_value("--rows", rule, "own or true_error", "");
  }
  require(options.scaling.true_error > 0, "--true-error", options.scaling.true_error, "in (0, 1)",
          "--rows own leaves those rows out");
  if (!by_true_error) scaling.true_error = 0;
  scaling.validate();
  return scaling;
}

int scale(const ScaleOptions& options) {
  catch_interrupts();
  const Scenario scenario = options.scenario.load();
  const studies::ScalingOptions scaling = scaling_of(options, scenario);
  limit_dense_threads(scenario.solver.execution.threads);
  const std::vector<int> nodes = studies::refinement_sizes(scenario.scene, options.nodes);
  studies::Scaling sizes(scenario, scaling, [] {
    if (interrupted()) throw Interrupted();
  });
  const std::string directory =
      options.directory.empty() ? "out/" + scenario.scene.name + "_scale" : options.directory;
  OutputFolder folder =
      options.overwrite.open_folder(directory, study_files("scale", "solver,rule,n_node,"));
  const LeftByInterrupts leaving(&folder);
  const std::string csv = folder.path() + "/scale.csv", png = folder.path() + "/scale.png";

  std::vector<Row> rows;
  std::optional<CsvFile> table;
  const Columns<Row> columns = scale_columns(&rows);
  if (!options.json) print_header(columns, kRowGap);
  Progress progress(static_cast<int>(nodes.size()));
  bool whole = true;
  try {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sizes.measure(nodes[k], [&](const Row& row) {
        rows.push_back(row);
        if (!table) table.emplace(csv, studies::csv_names(row));
        table->write(studies::csv_cells(row));
        progress.clear();
        if (options.json) return;
        if (row.at("left_out") == "")
          print_row(columns, row, kRowGap);
        else
          print_left_out(row);
      });
      progress.update(static_cast<int>(k) + 1);
    }
  } catch (const Interrupted&) {
    whole = false;
    if (rows.empty()) throw;
  }
  progress.clear();
  if (whole)
    run_python_module("nodia_tools.plot_scale", {csv, png});  // an interrupt waits for none
  if (options.json) {
    print_json(rows, scenario, scaling);
  } else {
    print_iterations(rows);
    for (const ScalingFit& fit : studies::fits_of(rows)) print_fit(fit);
    fmt::print("written to {}{}\n", csv, whole ? " and " + png : "");
  }
  return whole ? kGood : kInterrupted;
}

}  // namespace

Action declare_scale(CLI::App& app) {
  const auto options = std::make_shared<ScaleOptions>();
  options->scenario.declare(app);
  options->scenario.solver.declare(app);
  app.add_option("--solvers", options->scaling.solvers, "comma-separated names of solvers")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option(
         "--nodes", options->nodes,
         "comma-separated node counts of the first soft body. A sheet is meshed with these; any "
         "other body is subdivided, and the nearest counts are taken")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--rows", options->rules,
                 "comma-separated rows per solver: own: its own stopping rule; true_error: the "
                 "loosest tolerance that meets --true-error")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--true-error", options->scaling.true_error,
                 "true error, mean over the averaged steps")
      ->capture_default_str();
  app.add_option("--average", options->scaling.steps, "number of steps to average over")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--skip", options->scaling.skipped_steps,
                 "number of steps before the averaged ones")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_option("--from", options->scaling.from_s, "scenario time of the first step [s]")
      ->capture_default_str();
  app.add_option("--limit-s", options->scaling.limit_s,
                 "time limit of one solve; rows that exceed it are marked as left out [s]")
      ->capture_default_str();
  app.add_flag("--no-reference", options->no_reference,
               "compute no reference solutions, hence no true errors; needed for sizes whose "
               "factor does not fit in memory");
  app.add_option("--out", options->directory,
                 "directory of the CSV file and the plot (default out/<scenario name>_scale)")
      ->type_name("DIR");
  options->overwrite.declare(app, kReplacesStudy);
  app.add_flag("--json", options->json,
               "print the rows as one JSON object on stdout, messages on stderr");
  return [options] { return scale(*options); };
}

}  // namespace nodia::cli
