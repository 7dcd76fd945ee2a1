#include "tools/cli/compare_suite.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "host/solvers/catalogue.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/accuracy_output.hpp"
#include "tools/command/build_info.hpp"
#include "tools/command/common_options.hpp"
#include "tools/command/interrupt.hpp"
#include "tools/command/progress.hpp"
#include "tools/command/python.hpp"
#include "tools/command/verb.hpp"
#include "tools/compare/accuracy_cases.hpp"
#include "tools/compare/accuracy_suite.hpp"

namespace nodia::cli {
namespace {

using studies::AccuracyCase;
using studies::AccuracyCaseRun;
using studies::AccuracyRow;
using studies::SolverCurve;

constexpr const char* kSuite = "accuracy";
const std::vector<std::string> kSolvers{"auto", "cond", "pgs", "apgd"};

/// Checks the names and moves `auto` to the front, because the table shows the costs of the others
/// in multiples of it.
std::vector<std::string> in_order(std::vector<std::string> solvers) {
  if (solvers.empty()) solvers = kSolvers;
  for (const std::string& name : solvers) {
    SolverOptions options;
    options.solver = name;
    make_solver(options);  // rejects an unknown name before the work starts
    if (std::count(solvers.begin(), solvers.end(), name) > 1)
      throw InputError(fmt::format("--solvers: {} is there twice", name));
  }
  std::stable_partition(solvers.begin(), solvers.end(),
                        [](const std::string& name) { return name == "auto"; });
  return solvers;
}

class SuiteRun {
 public:
  SuiteRun(const std::string& directory, std::vector<std::string> solvers,
           const studies::SuiteOptions& options, bool json)
      : solvers_(std::move(solvers)),
        options_(options),
        json_(json),
        csv_(directory + "/accuracy.csv") {
    if (!json_) print_header(columns_);
  }

  /// Runs a case and adds its results. @throws Interrupted; the finished rows are kept
  void run(const std::string& name, const Scenario& scenario) {
    SuiteCase& own = cases_.emplace_back();
    own.name = name;
    try {
      Progress progress(step_count(scenario.scene.time));
      AccuracyCaseRun measured(scenario, options_, [&](int step, int) {
        if (interrupted()) throw Interrupted();
        if (step > 0) progress.update(step);
      });
      progress.clear();
      own.n_node = measured.n_node();
      own.n_contact = measured.n_contact();
      own.n_sample = measured.n_sample();
      own.reference_error = measured.reference_error();
      own.motion = measured.motion();
      own.left_out = measured.left_out();
      own.unconverged_steps = measured.unconverged_steps();
      for (const std::string& solver : solvers_) add_curve(&measured, solver, &own);
    } catch (const RuntimeError& error) {
      own.not_compared = error.what();
      csv_.add_reason(own, "", own.not_compared);
    }
    if (!json_) print_accuracy_notes(own);
  }

  const std::vector<SuiteCase>& cases() const { return cases_; }
  bool has_rows() const { return has_rows_; }

 private:
  void add_curve(AccuracyCaseRun* measured, const std::string& solver, SuiteCase* own) {
    // Each row is added to the case when it is finished, so an interrupt does not lose it.
    own->curves.push_back({solver, {}, "interrupted"});
    SolverCurve& curve = own->curves.back();
    const auto take = [&](const AccuracyRow& row) {
      curve.rows.push_back(row);
      csv_.add(*own, solver, row);
      has_rows_ = true;
    };
    try {
      curve = measured->curve_of(solver, take);
    } catch (const RuntimeError& error) {
      curve.ended = error.what();
    }
    if (curve.rows.empty()) csv_.add_reason(*own, solver, curve.ended);
    const SolverCurve& first = own->curves.front();
    if (!json_) print_row(columns_, {*own, curve, first.solver == "auto" ? &first : nullptr});
  }

  std::vector<std::string> solvers_;
  studies::SuiteOptions options_;
  bool json_;
  AccuracyCsv csv_;
  Columns<AccuracyLine> columns_ = accuracy_columns();
  std::vector<SuiteCase> cases_;
  bool has_rows_ = false;
};

}  // namespace

void SuiteArguments::declare(CLI::App& app) {
  app.add_option("--suite", suite,
                 "instead of a scenario: accuracy, the cost against the true error for every "
                 "scenario, mesh size and stiffness")
      ->type_name("accuracy")
      ->group("Suite");
  app.add_option(
         "--cases", cases,
         "comma-separated names, prefixes, or patterns with * and ? (default: all that are fast)")
      ->delimiter(',')
      ->group("Suite");
  app.add_option("--seconds", seconds, "limit of a solver's CPU time per case [s] (default 30)")
      ->type_name("S")
      ->check(CLI::PositiveNumber)
      ->group("Suite");
  app.add_option("--out", directory,
                 "directory of the CSV file and the plots (default out/accuracy)")
      ->type_name("DIR")
      ->group("Suite");
  overwrite.declare(app, kReplacesStudy);
  app.get_option("--overwrite")->group("Suite");
}

int compare_suite(const SuiteArguments& arguments, const std::vector<std::string>& solvers,
                  int samples, bool json) {
  if (arguments.suite != kSuite) throw_unknown_word("--suite", *arguments.suite, {kSuite});
  studies::SuiteOptions options;
  if (samples > 0) options.samples = samples;
  if (arguments.seconds) options.seconds = *arguments.seconds;
  const std::vector<std::string> names = in_order(solvers);
  const std::vector<AccuracyCase> cases = studies::choose_cases(arguments.cases);
  std::vector<Scenario> scenarios;
  for (const AccuracyCase& one : cases) {
    scenarios.push_back(studies::load_case(one, source_directory() + "/scenarios"));
    const int n_step = step_count(scenarios.back().scene.time);
    require(options.samples <= n_step, "--samples", options.samples,
            fmt::format("at most {}, the steps of {}", n_step, one.name), "");
  }
  OutputFolder folder = arguments.overwrite.open_folder(
      arguments.directory.value_or("out/accuracy"),
      study_files("accuracy(_time|_work)?", "case,n_node,n_contact,samples,"));
  const std::string& directory = folder.path();

  catch_interrupts();
  const LeftByInterrupts leaving(&folder);
  limit_dense_threads(1);
  SuiteRun suite(directory, names, options, json);
  bool complete = true;
  try {
    for (std::size_t k = 0; k < cases.size(); ++k) suite.run(cases[k].name, scenarios[k]);
  } catch (const Interrupted&) {
    complete = false;
    spdlog::warn("interrupted: what was done is kept");
  }
  const std::string csv = directory + "/accuracy.csv", time = directory + "/accuracy_time.png",
                    work = directory + "/accuracy_work.png";
  const bool drawn = complete && suite.has_rows();  // no plots after an interrupt, to end fast
  if (drawn) run_python_module("nodia_tools.plot_accuracy", {csv, time, work});
  if (json)
    fmt::print("{}\n", accuracy_json(suite.cases(), complete).dump(2));
  else
    fmt::print("written to {}{}\n", csv, drawn ? fmt::format(", {} and {}", time, work) : "");
  return complete ? kGood : kInterrupted;
}

}  // namespace nodia::cli
