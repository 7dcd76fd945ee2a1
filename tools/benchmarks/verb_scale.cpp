/// `nodia scale`: cost of solvers against node count, as a table, a CSV and a plot.
#include <fmt/format.h>
#include <fmt/os.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>

#include "host/io/machine.hpp"
#include "kernels/core/error.hpp"
#include "tools/benchmarks/memory_speed.hpp"
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
using studies::PowerFit;
using studies::ScalingRow;

struct ScaleOptions {
  ScenarioOptions scenario;
  std::vector<int> nodes{500, 1500, 6000, 25000, 100000};
  studies::ScalingOptions scaling;
  std::vector<std::string> rules{"own", "true_error"};
  std::string directory;
  OverwriteFlag overwrite;
  bool no_reference = false, json = false;
};

double memory_kB_per_node(const ScalingRow& r) {
  return 1e3 * r.memory_MB / r.n_node;
}

bool in_cache(const studies::IterationRow& r) {
  return r.bytes_per_iteration <= static_cast<double>(studies::private_cache_bytes());
}

/// One row; what is unknown or was not measured is null.
Json row_json(const ScalingRow& r) {
  Json row{{"solver", r.solver},
           {"rule", r.rule},
           {"n_node", r.n_node},
           {"n_tet", r.n_tet},
           {"n_dof", r.n_dof},
           {"n_contact", r.n_contact},
           {"threads", r.threads},
           {"steps", r.steps},
           {"tolerance", r.tolerance},
           {"reached", r.reached},
           {"iterations", r.iterations},
           {"work_units", r.work_units},
           {"true_error", r.true_error},
           {"reference_error", r.reference_error},
           {"solver_ms", r.solver_ms},
           {"dynamics_ms", r.dynamics_ms},
           {"total_ms", r.total_ms()},
           {"memory_MB", r.memory_MB},
           {"memory_kB_per_node", memory_kB_per_node(r)},
           {"failed_steps", r.failed_steps}};
  const studies::IterationRow i = r.iteration.value_or(studies::IterationRow{});
  row["iterations_paper"] = i.iterations_paper;
  row["failed_paper"] = i.failed_paper;
  row["us_per_iteration"] = i.us_per_iteration;
  row["read_us"] = i.read_us;
  row["bytes_per_iteration"] = i.bytes_per_iteration;
  row["in_cache"] = in_cache(i) ? 1 : 0;
  row["left_out"] = r.left_out;
  for (auto& [key, value] : row.items()) {
    const bool of_an_iteration = key == "iterations_paper" || key == "failed_paper" ||
                                 key == "us_per_iteration" || key == "read_us" ||
                                 key == "bytes_per_iteration" || key == "in_cache";
    const bool measured = key == "tolerance" || key == "reached" || key == "iterations" ||
                          key == "work_units" || key == "true_error" || key == "solver_ms" ||
                          key == "total_ms" || key == "memory_MB" || key == "memory_kB_per_node" ||
                          key == "failed_steps";
    if ((of_an_iteration && !r.iteration) || (measured && !r.left_out.empty()) ||
        (value.is_number_float() && !std::isfinite(value.get<double>())))
      value = nullptr;
  }
  return row;
}

std::string csv_cell(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_boolean()) return value.get<bool>() ? "1" : "0";
  if (value.is_string()) return fmt::format("\"{}\"", value.get<std::string>());
  return value.is_number_float() ? fmt::format("{:.6g}", value.get<double>()) : value.dump();
}

/// Writes the whole file after every row, so that the rows known so far survive an interruption.
void write_csv(const std::string& path, const std::vector<ScalingRow>& rows) {
  try {
    auto file = fmt::output_file(path);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const Json row = row_json(rows[k]);
      std::string names, cells;
      for (const auto& [key, value] : row.items()) {
        if (!names.empty()) {
          names += ',';
          cells += ',';
        }
        names += key;
        cells += csv_cell(value);
      }
      if (k == 0) file.print("{}\n", names);
      file.print("{}\n", cells);
    }
    file.close();
  } catch (const std::system_error& error) {
    throw RuntimeError(fmt::format("{}: cannot be written ({})", path, error.what()));
  }
}

constexpr const char* kHead =
    "{:<10} {:<19} {:>8} {:>9} {:>2} {:>8} {:>9} {:>9} {:>9} {:>11} {:>9} {:>7} {:>6} {:>8}\n";

void print_head() {
  fmt::print(fmt::runtime(kHead), "solver", "rule", "nodes", "contacts", "th", "tol.", "iter.",
             "work", "true err.", "solver ms", "dyn. ms", "x cond", "failed", "mem. MB");
}

/// @param rows  those before it, COND's of the same size and rule perhaps among them
void print_row(const ScalingRow& r, const std::vector<ScalingRow>& rows) {
  if (!r.left_out.empty()) {
    fmt::print("{:<10} {:<19} {:>8} {:>9} left out: {}\n", r.solver, r.rule, r.n_node, r.n_contact,
               r.left_out);
  } else {
    std::string ratio = "-";
    for (const ScalingRow& c : rows)
      if (c.solver == "cond" && c.rule == r.rule && c.n_node == r.n_node && c.left_out.empty())
        ratio = fmt::format("{:.2f}", r.total_ms() / c.total_ms());
    const auto known = [](double x, const char* format) {
      return std::isfinite(x) ? fmt::format(fmt::runtime(format), x) : std::string("-");
    };
    fmt::print(fmt::runtime(kHead), r.solver, r.rule, r.n_node, r.n_contact, r.threads,
               fmt::format("{:.1e}", r.tolerance), fmt::format("{:.1f}", r.iterations),
               known(r.work_units, "{:.1f}"), known(r.true_error, "{:.2e}"),
               fmt::format("{:.3f}", r.solver_ms), fmt::format("{:.3f}", r.dynamics_ms),
               r.reached ? ratio : "not met", r.failed_steps, fmt::format("{:.0f}", r.memory_MB));
  }
  std::fflush(stdout);
}

void print_iterations(const std::vector<ScalingRow>& rows) {
  bool head = false;
  for (const ScalingRow& r : rows) {
    if (!r.iteration) continue;
    if (!head)
      fmt::print("\n{:<10} {:>8} {:>9} {:>10} {:>11} {:>9} {:>6} {:>8}\n", "iteration", "nodes",
                 "tets", "it. paper", "us/it.", "read us", "ratio", "kB/node");
    head = true;
    const studies::IterationRow& i = *r.iteration;
    fmt::print("{:<10} {:>8} {:>9} {:>10.1f} {:>11.2f} {:>9.2f} {:>6.2f} {:>8.2f}{}\n", r.solver,
               r.n_node, r.n_tet, i.iterations_paper, i.us_per_iteration, i.read_us,
               i.us_per_iteration / i.read_us, memory_kB_per_node(r),
               i.failed_paper > 0 ? fmt::format("  {} steps not converged", i.failed_paper) : "");
  }
  if (head) fmt::print("\n");
}

struct NamedFit {
  std::string solver, rule, where;
  PowerFit fit;
};

/// Of every solver and rule over all sizes, and of COND's own inside and outside the cache.
std::vector<NamedFit> fits_of(const std::vector<ScalingRow>& rows) {
  std::vector<NamedFit> fits;
  for (const ScalingRow& r : rows)
    if (std::none_of(fits.begin(), fits.end(),
                     [&](const NamedFit& f) { return f.solver == r.solver && f.rule == r.rule; }))
      fits.push_back({r.solver, r.rule, "all sizes", studies::fit_total(rows, r.solver, r.rule)});
  if (std::none_of(rows.begin(), rows.end(), [](const ScalingRow& r) { return !!r.iteration; }))
    return fits;
  const auto cache = static_cast<double>(studies::private_cache_bytes());
  fits.push_back(
      {"cond", "own", "inside the core's own cache", studies::fit_cond(rows, cache, true)});
  fits.push_back({"cond", "own", "outside it", studies::fit_cond(rows, cache, false)});
  return fits;
}

void print_fit(const NamedFit& f) {
  const std::string what = fmt::format("{}, {}, {}", f.solver, f.rule, f.where);
  if (f.fit.n_row < 2)
    fmt::print("{}: {} size{}, no fit\n", what, f.fit.n_row, f.fit.n_row == 1 ? "" : "s");
  else
    fmt::print("{}: total ms = {:.3g} n^{:.3f} over {} sizes, R^2 = {:.4f}\n", what,
               f.fit.coefficient, f.fit.exponent, f.fit.n_row, f.fit.r_squared);
}

void print_json(const std::vector<ScalingRow>& rows, const Scenario& scenario,
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
  for (const NamedFit& f : fits_of(rows))
    root["fits"].push_back({{"solver", f.solver},
                            {"rule", f.rule},
                            {"where", f.where},
                            {"sizes", f.fit.n_row},
                            {"coefficient_ms", f.fit.coefficient},
                            {"exponent", f.fit.exponent},
                            {"r_squared", f.fit.r_squared}});
  root["rows"] = Json::array();
  for (const ScalingRow& r : rows) root["rows"].push_back(row_json(r));
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

  if (!options.json) print_head();
  std::vector<ScalingRow> rows;
  Progress progress(static_cast<int>(nodes.size()));
  bool whole = true;
  try {
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      sizes.measure(nodes[k], [&](const ScalingRow& row) {
        rows.push_back(row);
        write_csv(csv, rows);
        progress.clear();
        if (!options.json) print_row(row, rows);
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
    for (const NamedFit& fit : fits_of(rows)) print_fit(fit);
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
