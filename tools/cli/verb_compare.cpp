/// `nodia compare`: the same steps, every solver, one table.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "host/io/machine.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/compare_suite.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/progress.hpp"
#include "tools/compare/comparison.hpp"

namespace nodia::cli {
namespace {

using studies::Comparison;
using studies::ComparisonRow;

struct CompareOptions {
  ScenarioOptions scenario;
  SuiteArguments suite;
  std::vector<std::string> solvers{"cond", "pgs", "apgd"};
  studies::ComparisonOptions comparison;
  studies::SampleChoice choice;
  std::optional<int> every;
  std::string part = "1/1";
  std::vector<std::string> rows{"paper", "residual", "true_error"};
  std::vector<std::string> ablation_w;
  bool all = false, no_reference = false, baseline_only = false, ablation = false,
       with_ablation = false, json = false;
};

std::string factoriser_of(const SolverOptions& o) {
  if (o.solver != "pgs" && o.solver != "apgd") return "-";
  return fmt::format("{}, {} rhs", name_of(o.factor.factoriser),
                     o.factor.sparse_rhs ? "sparse" : "dense");
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
        row.options.solver == "cond" ? name_of(row.options.of<CondOptions>().w) : "-",
        row.options.solver == "cond"
            ? (row.options.of<CondOptions>().acceleration == Acceleration::chebyshev ? "on" : "off")
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
               name_of(rows[k].options.of<CondOptions>().w), rows[k].purpose, rows[k].iterations,
               rows[k + 1].iterations, rows[k].iterations / rows[k + 1].iterations);
}

/// A number that is none becomes null.
nlohmann::ordered_json samples_json(const ComparisonRow& row, double step_s) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const studies::SampleRow& s : row.samples)
    all.push_back({{"step", s.step},
                   {"time_s", s.step * step_s},
                   {"status", name_of(s.status)},
                   {"iterations", s.iterations},
                   {"dynamics_ms", s.dynamics_ms},
                   {"solver_ms", s.solver_ms},
                   {"delassus_ms", s.delassus_ms},
                   {"max_penetration_m", s.errors.max_penetration_m},
                   {"internal_force_N", s.errors.internal_force_N},
                   {"internal_force_error_N", s.errors.internal_force_error_N},
                   {"reference_internal_force_N", s.errors.reference_internal_force_N},
                   {"sensor_force_N", s.errors.sensor_force_N},
                   {"sensor_force_error_N", s.errors.sensor_force_error_N},
                   {"reference_sensor_force_N", s.errors.reference_sensor_force_N},
                   {"displacement_error_m", s.errors.displacement_error_m},
                   {"true_error", s.errors.true_error},
                   {"relative_residual", s.errors.judged.relative_residual},
                   {"natural_map_error", s.errors.judged.natural_map_error},
                   {"error_siconos", s.errors.judged.error_siconos},
                   {"energy_error_J", s.errors.judged.energy_error_J},
                   {"energy_error_box_J", s.errors.judged.energy_error_box_J},
                   {"contact_force_N", s.errors.contact_force_N},
                   {"recovered_force_N", s.errors.recovered_force_N}});
  return all;
}

std::string comparison_json(const std::vector<ComparisonRow>& rows, const std::string& scenario,
                            double step_s, int n_sample, double reference_error) {
  nlohmann::ordered_json root;
  root["format"] = "nodia_compare";
  root["format_version"] = 1;
  root["scenario"] = scenario;
  root["samples"] = n_sample;
  root["reference_error"] = reference_error;
  root["version"] = kVersion;
  root["commit"] = kCommit;
  const Machine machine = this_machine();
  root["machine"] = {{"cpu", machine.cpu}, {"cores", machine.cores}, {"os", machine.os}};
  root["rows"] = nlohmann::ordered_json::array();
  for (const ComparisonRow& row : rows) {
    root["rows"].push_back(
        {{"solver", row.options.solver},
         {"w", name_of(row.options.of<CondOptions>().w)},
         {"chebyshev", row.options.of<CondOptions>().acceleration == Acceleration::chebyshev},
         {"factoriser", factoriser_of(row.options)},
         {"stop", name_of(stop_rule_of(row.options))},
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
         {"failed_steps", row.failed_steps},
         {"samples", samples_json(row, step_s)}});
  }
  return root.dump(2) + "\n";
}

void choose_rows(const CompareOptions& options, studies::ComparisonOptions* chosen) {
  chosen->by_paper = chosen->by_residual = chosen->by_true_error = false;
  for (const std::string& row : options.rows) {
    if (row == "paper")
      chosen->by_paper = true;
    else if (row == "residual")
      chosen->by_residual = true;
    else if (row == "true_error")
      chosen->by_true_error = !options.no_reference;
    else if (row != "none")
      throw_bad_value("--rows", row, "paper, residual, true_error or none", "");
  }
  if (!options.ablation_w.empty()) chosen->ablation_w.clear();
  for (const std::string& w : options.ablation_w)
    chosen->ablation_w.push_back(parse_word<WKind>(w, "--ablation-w"));
  chosen->fairer_baselines = !options.baseline_only;
}

void choose_part(const std::string& text, int n_step, studies::SampleChoice* choice) {
  int part = 0, parts = 0, read = 0;
  const bool well_formed = std::sscanf(text.c_str(), "%9d/%9d%n", &part, &parts, &read) == 2 &&
                           static_cast<std::size_t>(read) == text.size();
  if (!well_formed || part < 1 || part > parts || parts > n_step)
    throw_bad_value("--part", text, "i/n with 1 <= i <= n and n at most the number of steps", "");
  choice->part = part - 1;
  choice->parts = parts;
}

int compare(const CompareOptions& options) {
  catch_interrupts();
  const Scenario scenario = options.scenario.load();
  limit_dense_threads(scenario.solver.threads);
  const int n_step = step_count(scenario.scene.time);
  studies::SampleChoice choice = options.choice;
  choice.every = options.all ? 1 : options.every.value_or(std::min(choice.every, n_step));
  choice.reference = !options.no_reference;
  require(choice.reference_tolerance > 0 && choice.reference_tolerance <= studies::kReferenceBound,
          "--reference-tolerance", choice.reference_tolerance,
          fmt::format("in (0, {:g}]", studies::kReferenceBound), "");
  choose_part(options.part, n_step, &choice);
  require(choice.every <= n_step || choice.count > 0, "--every", choice.every,
          "at most the number of steps", "use --all for every step");
  require(choice.count <= n_step, "--samples", choice.count, "at most the number of steps", "");
  studies::ComparisonOptions comparison_options = options.comparison;
  choose_rows(options, &comparison_options);
  std::vector<SolverOptions> solvers;
  for (const std::string& name : options.solvers) {
    SolverOptions o = scenario.solver;
    o.solver = name;
    make_solver(o);  // refuses an unknown name before the work begins
    solvers.push_back(o);
  }
  Progress progress(n_step);
  studies::Samples samples(scenario, choice, [&](int step, int) {
    if (interrupted()) throw Interrupted();
    progress.update(step);
  });
  progress.clear();
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
    if (options.with_ablation)
      for (ComparisonRow& row : comparison.ablation(scenario.solver)) {
        row.purpose = "ablation, " + row.purpose;
        rows.push_back(std::move(row));
      }
  }
  const int n_sample = static_cast<int>(samples.all().size());
  if (options.json) {
    fmt::print("{}", comparison_json(rows, scenario.scene.name, scenario.scene.time.step_s,
                                     n_sample, samples.reference_error()));
    return kGood;
  }
  const std::string spread =
      choice.count > 0 ? "evenly spread over" : fmt::format("every {}th of", choice.every);
  fmt::print("{}: means over {} steps, {} {}; {}\n", scenario.scene.name, n_sample, spread, n_step,
             choice.reference
                 ? fmt::format("reference answers to {:.1g}", samples.reference_error())
                 : "no reference answers");
  print_table(rows, options.ablation);
  if (options.ablation) print_ratios(rows);
  return kGood;
}

/// Options of a comparison on one scenario that say nothing to a suite.
void require_suite_options(const CLI::App& app) {
  const std::vector<std::string> allowed{"--suite",   "--cases", "--solvers",   "--samples",
                                         "--seconds", "--out",   "--overwrite", "--json"};
  for (const CLI::Option* option : app.get_options()) {
    const std::string name = option->get_name();
    if (option->count() > 0 && std::find(allowed.begin(), allowed.end(), name) == allowed.end())
      throw InputError(fmt::format("{}: does not go with --suite (which takes {})", name,
                                   fmt::join(allowed, ", ")));
  }
}

int compare_as_asked(const CLI::App& app, const CompareOptions& options) {
  if (!options.suite.suite) {
    if (options.suite.any_own())
      throw InputError("--cases, --seconds, --out and --overwrite go with --suite accuracy alone");
    return compare(options);
  }
  require_suite_options(app);
  const bool chosen = app.get_option("--solvers")->count() > 0;
  return compare_suite(options.suite, chosen ? options.solvers : std::vector<std::string>{},
                       options.choice.count, options.json);
}

}  // namespace

Action declare_compare(CLI::App& app) {
  const auto options = std::make_shared<CompareOptions>();
  options->scenario.declare(app);
  options->scenario.solver.declare(app);
  app.get_option("scenario")->required(false);  // a suite has its own
  options->suite.declare(app);
  app.add_option("--solvers", options->solvers,
                 "comma-separated names of solvers (default with --suite: auto,cond,pgs,apgd)")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--every", options->every,
                 "compare on every N-th step (default: every 25th; in a shorter run, the last)")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--samples", options->choice.count,
                 "compare on N evenly spaced steps, instead of --every")
      ->type_name("N")
      ->check(CLI::PositiveNumber);
  app.add_option("--part", options->part,
                 "compare only on the i-th of n equal parts of the steps; limits the memory that a "
                 "long trajectory needs")
      ->type_name("i/n");
  app.add_option("--rows", options->rows,
                 "comma-separated stopping rules, one row each: paper, residual, true_error, none")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--iterations", options->comparison.iterations,
                 "add rows after these fixed numbers of iterations, comma-separated")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_flag("--baseline-only", options->baseline_only,
               "run pgs and apgd with the paper's factorisation only");
  app.add_option("--reference-tolerance", options->choice.reference_tolerance,
                 "tolerance of the reference solutions for the error measures")
      ->capture_default_str();
  app.add_flag(
      "--no-reference", options->no_reference,
      "compute no reference solutions, hence no true errors: only forces, iterations and times");
  app.add_flag("--all", options->all, "compare on every step");
  app.add_flag("--ablation", options->ablation,
               "compare only COND, with and without Chebyshev acceleration, for every W");
  app.add_flag("--with-ablation", options->with_ablation,
               "add the rows of --ablation after those of the solvers, on the same steps");
  app.add_option("--ablation-w", options->ablation_w,
                 "comma-separated W of the ablation (default: all)")
      ->delimiter(',');
  app.add_option("--paper-tolerance", options->comparison.paper_tolerance,
                 "tolerance |v_new - v_old| of the paper rule [m/s]")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--true-error", options->comparison.true_error,
                 "true error of the rows that compare cost at equal accuracy")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--json", options->json,
               "print the rows as one JSON object on stdout, messages on stderr");
  return [&app, options] { return compare_as_asked(app, *options); };
}

}  // namespace nodia::cli
