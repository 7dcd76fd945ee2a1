/// `nodia compare`: compares solvers on the same steps, in one table.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/accuracy_output.hpp"
#include "tools/cli/compare_suite.hpp"
#include "tools/cli/comparison_output.hpp"
#include "tools/cli/verbs.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/progress.hpp"
#include "tools/compare/comparison.hpp"

namespace nodia::cli {
namespace {

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
  std::string csv;
  bool all = false, no_reference = false, baseline_only = false, ablation = false,
       with_ablation = false, json = false;
};

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

studies::SampleChoice choose_samples(const CompareOptions& options, int n_step) {
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
  return choice;
}

/// Solvers with the options of the scenario. COND is the first one, because a column of the table
/// shows the times of the others in multiples of COND's. @throws InputError for an unknown name
std::vector<SolverOptions> choose_solvers(const std::vector<std::string>& names,
                                          const SolverOptions& own) {
  std::vector<SolverOptions> solvers;
  for (const std::string& name : names) {
    solvers.push_back(own);
    solvers.back().solver = name;
    make_solver(solvers.back());
  }
  std::stable_partition(solvers.begin(), solvers.end(),
                        [](const SolverOptions& o) { return o.solver == "cond"; });
  return solvers;
}

int compare(const CompareOptions& options) {
  catch_interrupts();
  if (!options.csv.empty()) options.suite.overwrite.require_writable("--csv", options.csv);
  const Scenario scenario = options.scenario.load();
  limit_dense_threads(scenario.solver.execution.threads);
  const int n_step = step_count(scenario.scene.time);
  const studies::SampleChoice choice = choose_samples(options, n_step);
  studies::ComparisonOptions comparison_options = options.comparison;
  choose_rows(options, &comparison_options);
  comparison_options.residual_tolerance = scenario.solver.tolerance;
  const std::vector<SolverOptions> solvers = choose_solvers(options.solvers, scenario.solver);
  Progress progress(n_step);
  studies::Samples samples(scenario, choice, [&](int step, int) {
    if (interrupted()) throw Interrupted();
    progress.update(step);
  });
  progress.clear();
  const int n_sample = static_cast<int>(samples.all().size());
  RowTable<ComparedRow> table(comparison_columns(), !options.json, options.csv);
  if (!options.json)
    fmt::print("{}: means over {} of {} steps; {}\n", scenario.scene.name, n_sample, n_step,
               choice.reference ? fmt::format("errors against reference solutions with a residual "
                                              "of {:.1g}",
                                              samples.reference_error())
                                : "no reference solutions");
  table.print_header();
  MeasuredRows rows(&table);
  studies::Comparison comparison(samples, comparison_options);
  const auto take = [&](studies::ComparisonRow row) {
    rows.add(std::move(row));
    if (interrupted()) throw Interrupted();
  };
  const auto take_ablation = [&](studies::ComparisonRow row) {
    if (options.with_ablation) row.purpose = "ablation, " + row.purpose;
    rows.add_ablation(std::move(row));
    if (interrupted()) throw Interrupted();
  };
  if (!options.ablation)
    for (const SolverOptions& solver : solvers) comparison.measure_rows(solver, take);
  if (options.ablation || options.with_ablation)
    comparison.measure_ablation(scenario.solver, take_ablation);
  if (options.json)
    fmt::print("{}", comparison_json(rows.all(), scenario.scene.name, scenario.scene.time.step_s,
                                     n_sample, samples.reference_error()));
  else if (options.ablation)
    print_ratios(rows.all());
  return kGood;
}

/// Rejects options that a suite does not have.
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
      throw InputError("--cases, --seconds and --out go with --suite accuracy alone");
    if (options.suite.overwrite.overwrite && options.csv.empty())
      throw InputError("--overwrite (must be with --suite accuracy or --csv)");
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
  app.get_option("scenario")->required(false);  // a suite has its own scenarios
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
  app.add_option("--csv", options->csv, "write the table to a CSV file, row by row")
      ->type_name("FILE");
  app.add_flag("--json", options->json,
               "print the rows as one JSON object on stdout, messages on stderr");
  explain_columns(app, "Columns of the table of --suite", accuracy_columns());
  explain_columns(app, "Columns of the table, means over the steps", comparison_columns());
  return [&app, options] { return compare_as_asked(app, *options); };
}

}  // namespace nodia::cli
