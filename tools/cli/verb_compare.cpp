/// `nodia compare`: the same steps, every solver, one table.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "host/io/machine.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/build_info.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/verb.hpp"
#include "tools/studies/comparison.hpp"

namespace nodia::cli {
namespace {

using studies::Comparison;
using studies::ComparisonRow;

struct CompareOptions {
  ScenarioOptions scenario;
  std::vector<std::string> solvers{"cond", "pgs", "apgd"};
  studies::ComparisonOptions comparison;
  int every = 25;
  bool all = false, ablation = false, json = false;
};

std::string factoriser_of(const SolverOptions& o) {
  if (o.solver != "pgs" && o.solver != "apgd") return "-";
  return fmt::format("{}, {} rhs", name_of(o.factoriser), o.sparse_rhs ? "sparse" : "dense");
}

void print_table(const std::vector<ComparisonRow>& rows, bool ablation) {
  fmt::print(
      "{:<6} {:<22} {:<14} {:<5} {:<20} {:>8} {:>9} {:>9} {:>9} {:>9} {:>10} {:>8} {:>10} {:>11} "
      "{:>8} {:>6} {:>9}\n",
      "solver", "factoriser", "w", "cheb.", "stop", "tol.", "pen. mm", "IE mN", "FE mN", "DE um",
      "true err.", "dyn. ms", "solver ms", "delassus ms", "iter.", "failed", "x cond");
  for (const ComparisonRow& row : rows) {
    double cond_ms = 0;
    for (const ComparisonRow& other : rows)
      if (other.options.solver == "cond" && other.purpose == row.purpose && !ablation)
        cond_ms = other.solver_ms;
    fmt::print(
        "{:<6} {:<22} {:<14} {:<5} {:<20} {:>8.1e} {:>9.2g} {:>9.3g} {:>9.3g} {:>9.3g} {:>10.2e} "
        "{:>8.3f} {:>10.3f} {:>11.2f} {:>8.1f} {:>6} {:>9}\n",
        row.options.solver, factoriser_of(row.options),
        row.options.solver == "cond" ? name_of(row.options.w) : "-",
        row.options.solver == "cond"
            ? (row.options.acceleration == Acceleration::chebyshev ? "on" : "off")
            : "-",
        row.purpose, row.options.tolerance, 1e3 * row.max_penetration_m,
        1e3 * row.internal_force_error_N, 1e3 * row.sensor_force_error_N,
        1e6 * row.displacement_error_m, row.true_error, row.dynamics_ms, row.solver_ms,
        row.delassus_ms, row.iterations, row.failed_steps,
        !row.reached ? "not met"
                     : (cond_ms > 0 ? fmt::format("{:.1f}", row.solver_ms / cond_ms) : "-"));
  }
}

/// Iterations without over iterations with Chebyshev, per W and rule.
void print_ratios(const std::vector<ComparisonRow>& rows) {
  for (std::size_t k = 0; k + 1 < rows.size(); k += 2)
    fmt::print("{:<14} {:<9} without / with Chebyshev: {:.1f} / {:.1f} = {:.2f}\n",
               name_of(rows[k].options.w), rows[k].purpose, rows[k].iterations,
               rows[k + 1].iterations, rows[k].iterations / rows[k + 1].iterations);
}

std::string to_json(const std::vector<ComparisonRow>& rows, const std::string& scenario,
                    int n_sample, double reference_error) {
  nlohmann::ordered_json root;
  root["scenario"] = scenario;
  root["samples"] = n_sample;
  root["reference_error"] = reference_error;
  root["version"] = kVersion;
  root["commit"] = kCommit;
  const Machine machine = this_machine();
  root["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}};
  root["rows"] = nlohmann::ordered_json::array();
  for (const ComparisonRow& row : rows)
    root["rows"].push_back({{"solver", row.options.solver},
                            {"w", name_of(row.options.w)},
                            {"chebyshev", row.options.acceleration == Acceleration::chebyshev},
                            {"factoriser", factoriser_of(row.options)},
                            {"stop", name_of(row.options.stop)},
                            {"purpose", row.purpose},
                            {"reached", row.reached},
                            {"tolerance", row.options.tolerance},
                            {"max_penetration_m", row.max_penetration_m},
                            {"internal_force_error_N", row.internal_force_error_N},
                            {"sensor_force_error_N", row.sensor_force_error_N},
                            {"displacement_error_m", row.displacement_error_m},
                            {"true_error", row.true_error},
                            {"dynamics_ms", row.dynamics_ms},
                            {"solver_ms", row.solver_ms},
                            {"delassus_ms", row.delassus_ms},
                            {"iterations", row.iterations},
                            {"failed_steps", row.failed_steps}});
  return root.dump(2) + "\n";
}

int compare(const CompareOptions& options) {
  catch_interrupts();
  const Scenario scenario = options.scenario.load();
  const int n_step = step_count(scenario.scene.time);
  const int every = options.all ? 1 : options.every;
  require(every <= n_step, "--every", every, "at most the number of steps",
          "use --all for every step");
  std::vector<SolverOptions> solvers;
  for (const std::string& name : options.solvers) {
    SolverOptions o = scenario.solver;
    o.solver = name;
    make_solver(o);  // refuses an unknown name before the work begins
    solvers.push_back(o);
  }
  Progress progress(n_step);
  studies::Samples samples(scenario, every, [&](int step, int) {
    if (interrupted()) throw Interrupted();
    progress.update(step);
  });
  progress.clear();
  studies::ComparisonOptions comparison_options = options.comparison;
  comparison_options.residual_tolerance = scenario.solver.tolerance;
  Comparison comparison(samples, comparison_options);
  std::vector<ComparisonRow> rows;
  if (options.ablation) {
    rows = comparison.ablation(scenario.solver);
  } else {
    for (const SolverOptions& solver : solvers) {
      if (interrupted()) throw Interrupted();
      for (ComparisonRow& row : comparison.rows_of(solver)) rows.push_back(std::move(row));
    }
  }
  const int n_sample = static_cast<int>(samples.all().size());
  if (options.json) {
    fmt::print("{}", to_json(rows, scenario.scene.name, n_sample, samples.reference_error()));
    return kGood;
  }
  fmt::print("{}: means over {} steps, every {}th of {}; reference answers to {:.1g}\n",
             scenario.scene.name, n_sample, every, n_step, samples.reference_error());
  print_table(rows, options.ablation);
  if (options.ablation) print_ratios(rows);
  return kGood;
}

}  // namespace

Action declare_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  options->scenario.declare(app);
  app.add_option("--solvers", options->solvers, "names in the catalogue, with commas")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--every", options->every, "take every N-th step's problem")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--all", options->all, "take every step's problem");
  app.add_flag("--ablation", options->ablation,
               "COND with and without Chebyshev acceleration for every W");
  app.add_option("--paper-tolerance", options->comparison.paper_tolerance,
                 "|v_new - v_old| [m/s] of the paper rule")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--true-error", options->comparison.true_error,
                 "target of the rows at equal true error")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--json", options->json, "rows as one JSON object on stdout, messages on stderr");
  return [options] { return compare(*options); };
}

}  // namespace nodia::cli
