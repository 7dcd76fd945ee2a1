/// `nodia scale`: cost against node count, as a table, a CSV and a plot.
#include <fmt/format.h>
#include <fmt/os.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "host/io/machine.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/build_info.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/python.hpp"
#include "tools/cli/verb.hpp"
#include "tools/studies/memory_speed.hpp"
#include "tools/studies/refinement.hpp"
#include "tools/studies/scaling.hpp"

namespace nodia::cli {
namespace {

using studies::PowerFit;
using studies::ScalingRow;

struct ScaleOptions {
  ScenarioOptions scenario;
  std::vector<int> nodes{500, 1500, 6000, 25000, 100000};
  studies::ScalingOptions scaling;
  std::string directory;
  bool json = false;
};

constexpr const char* kColumns =
    "solver,n_node,n_dof,iterations_paper,iterations_residual,us_per_iteration,solver_ms,dynamics_"
    "ms,memory_MB,"
    "read_us,bytes_per_iteration,threads,n_tet,n_contact,failed_paper,failed_residual,in_cache,"
    "memory_kB_per_node";

double memory_kB_per_node(const ScalingRow& r) {
  return 1e3 * r.memory_MB / r.n_node;
}

void write_csv(const std::string& path, const std::vector<ScalingRow>& rows) {
  try {
    auto file = fmt::output_file(path);
    file.print("{}\n", kColumns);
    for (const ScalingRow& r : rows)
      file.print(
          "{},{},{},{:.2f},{:.2f},{:.4f},{:.4f},{:.4f},{:.1f},{:.4f},{:.0f},{},{},{},{},{},{:d},{:."
          "2f}\n",
          r.solver, r.n_node, r.n_dof, r.iterations_paper, r.iterations_residual,
          r.us_per_iteration, r.solver_ms, r.dynamics_ms, r.memory_MB, r.read_us,
          r.bytes_per_iteration, r.threads, r.n_tet, r.n_contact, r.failed_paper, r.failed_residual,
          r.bytes_per_iteration <= static_cast<double>(studies::private_cache_bytes()),
          memory_kB_per_node(r));
    file.close();
  } catch (const std::system_error& error) {
    throw RuntimeError(fmt::format("{}: cannot be written ({})", path, error.what()));
  }
}

void print_row(const ScalingRow& r) {
  fmt::print(
      "{:>8} {:>9} {:>9} {:>8} {:>9.1f} {:>9.1f} {:>11.2f} {:>9.2f} {:>6.2f} {:>10.3f} {:>9.3f} "
      "{:>9.0f} {:>8.2f}\n",
      r.n_node, r.n_tet, r.n_contact, r.threads, r.iterations_paper, r.iterations_residual,
      r.us_per_iteration, r.read_us, r.us_per_iteration / r.read_us, r.solver_ms, r.dynamics_ms,
      r.memory_MB, memory_kB_per_node(r));
  std::fflush(stdout);
}

void print_fit(const char* where, const PowerFit& fit) {
  if (fit.n_row < 2)
    fmt::print("{}: {} size, no fit\n", where, fit.n_row);
  else
    fmt::print("{}: total ms = {:.3g} n^{:.3f} over {} sizes, R^2 = {:.4f}\n", where,
               fit.coefficient, fit.exponent, fit.n_row, fit.r_squared);
}

nlohmann::ordered_json fit_json(const PowerFit& fit) {
  return {{"sizes", fit.n_row},
          {"coefficient_ms", fit.coefficient},
          {"exponent", fit.exponent},
          {"r_squared", fit.r_squared}};
}

int scale(const ScaleOptions& options) {
  catch_interrupts();
  const Scenario scenario = options.scenario.load();
  studies::ScalingOptions scaling = options.scaling;
  if (options.scenario.solver.max_iterations)
    scaling.max_iterations = scenario.solver.max_iterations;
  studies::require_refinable(scenario.scene, options.nodes);
  const std::string directory =
      options.directory.empty() ? "out/" + scenario.scene.name + "_scale" : options.directory;
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (error) throw RuntimeError(fmt::format("{}: cannot be made ({})", directory, error.message()));

  if (!options.json)
    fmt::print("{:>8} {:>9} {:>9} {:>8} {:>9} {:>9} {:>11} {:>9} {:>6} {:>10} {:>9} {:>9} {:>8}\n",
               "nodes", "tets", "contacts", "threads", "it.paper", "it.resid.", "us/it.", "read us",
               "ratio", "solver ms", "dyn. ms", "mem. MB", "kB/node");
  std::vector<ScalingRow> rows;
  Progress progress(static_cast<int>(options.nodes.size()));
  for (int n : options.nodes) {
    if (interrupted()) throw Interrupted();
    rows.push_back(studies::measure_size(scenario, n, scaling));
    progress.clear();
    if (!options.json) print_row(rows.back());
    progress.update(static_cast<int>(rows.size()));
  }
  progress.clear();
  const std::string csv = directory + "/scale.csv", png = directory + "/scale.png";
  write_csv(csv, rows);
  run_python_module("nodia_tools.plot_scale", {csv, png});

  const auto cache = static_cast<double>(studies::private_cache_bytes());
  const PowerFit inside = studies::fit_total(rows, cache, true),
                 outside = studies::fit_total(rows, cache, false);
  if (!options.json) {
    print_fit("inside the core's own cache", inside);
    print_fit("outside it", outside);
    for (const ScalingRow& r : rows)
      if (r.failed_paper + r.failed_residual > 0)
        fmt::print(
            "{} nodes: {} steps did not converge by the paper rule, {} by the residual rule\n",
            r.n_node, r.failed_paper, r.failed_residual);
    fmt::print("written to {} and {}\n", csv, png);
    return kGood;
  }
  nlohmann::ordered_json root;
  const Machine machine = this_machine();
  root["format"] = "nodia_scale";
  root["format_version"] = 1;
  root["scenario"] = scenario.scene.name;
  root["version"] = kVersion;
  root["commit"] = kCommit;
  root["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}};
  root["fit_inside_cache"] = fit_json(inside);
  root["fit_outside_cache"] = fit_json(outside);
  root["rows"] = nlohmann::ordered_json::array();
  for (const ScalingRow& r : rows)
    root["rows"].push_back({{"solver", r.solver},
                            {"n_node", r.n_node},
                            {"n_dof", r.n_dof},
                            {"iterations_paper", r.iterations_paper},
                            {"iterations_residual", r.iterations_residual},
                            {"us_per_iteration", r.us_per_iteration},
                            {"solver_ms", r.solver_ms},
                            {"dynamics_ms", r.dynamics_ms},
                            {"memory_MB", r.memory_MB},
                            {"memory_kB_per_node", memory_kB_per_node(r)},
                            {"read_us", r.read_us},
                            {"bytes_per_iteration", r.bytes_per_iteration},
                            {"threads", r.threads},
                            {"n_contact", r.n_contact},
                            {"failed_paper", r.failed_paper},
                            {"failed_residual", r.failed_residual}});
  fmt::print("{}\n", root.dump(2));
  return kGood;
}

}  // namespace

Action declare_scale(CLI::App& app) {
  const auto options = std::make_shared<ScaleOptions>();
  options->scenario.declare(app);
  app.add_option("--nodes", options->nodes, "node counts, with commas")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--average", options->scaling.steps, "steps that are averaged")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--from", options->scaling.from_s, "scenario time at which they begin [s]")
      ->capture_default_str();
  app.add_option("--out", options->directory,
                 "directory of the CSV and the plot; without it out/<scenario name>_scale")
      ->type_name("DIR");
  app.add_flag("--json", options->json, "rows as one JSON object on stdout, messages on stderr");
  return [options] { return scale(*options); };
}

}  // namespace nodia::cli
