/// `nodia run`: a scenario from its first step to its last, into a run directory.
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cstdio>
#include <memory>

#include "host/io/run_directory.hpp"
#include "host/io/summary_json.hpp"
#include "kernels/core/error.hpp"
#include "tools/cli/build_info.hpp"
#include "tools/cli/common_options.hpp"
#include "tools/cli/interrupt.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/verb.hpp"

namespace nodia::cli {
namespace {

struct RunOptions {
  ScenarioOptions scenario;
  BackendOption backend;
  std::optional<std::string> solver;
  std::string directory;
  bool check = false;
  bool json = false;
};

/// out/<scenario name>, with characters that are awkward in file names replaced.
std::string default_directory(std::string name) {
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_' && c != '-') c = '_';
  return "out/" + (name.empty() ? "run" : name);
}

bool every_environment_failed(const Simulation& simulation) {
  for (int env = 0; env < simulation.n_env(); ++env)
    if (!simulation.failed(env)) return false;
  return true;
}

void print_row(const char* name, const std::string& value) {
  fmt::print("{:<18} {}\n", name, value);
}

void print_table(const RunSummary& s) {
  const StepStatistics& t = s.statistics;
  print_row("scenario", fmt::format("{} ({} nodes, {} tetrahedra, {} degrees of freedom)",
                                    s.scenario, s.n_node, s.n_tet, 3 * s.n_node));
  print_row("solver", fmt::format("{}, stop {} at {:g}, {} precision, {}", s.solver.solver,
                                  name_of(s.solver.stop), s.solver.tolerance,
                                  name_of(s.solver.precision), s.backend));
  print_row("steps",
            fmt::format("{} ({:g} s simulated in {:.2f} s)", s.steps, s.simulated_s, s.wall_s));
  std::string ends;
  for (const auto& [reason, count] : t.reasons())
    ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", count, reason);
  print_row("ended", ends.empty() ? "-" : ends);
  print_row("iterations",
            fmt::format("{:.1f} mean, {} at most", t.iterations_mean(), t.iterations_max()));
  print_row("relative residual", fmt::format("{:.3g} at most", t.relative_residual_max()));
  print_row("certificate", fmt::format("{:.3g} J at most", t.certificate_J_max()));
  print_row("penetration", fmt::format("{:.3g} mm at most", 1e3 * t.max_penetration_m()));
  print_row("time per step", fmt::format("{:.3f} ms dynamics, {:.3f} ms solver",
                                         t.dynamics_ms_mean(), t.solver_ms_mean()));
  for (const CheckResult& c : s.checks)
    print_row(&c == &s.checks.front() ? "checks" : "",
              fmt::format("{} {}: {:.4g} {} (bound {:.4g})", c.passed ? "passed" : "FAILED", c.name,
                          c.value, c.unit == "-" ? "" : c.unit, c.bound));
  for (const std::string& name : s.checks_not_reached)
    print_row(s.checks.empty() && name == s.checks_not_reached.front() ? "checks" : "",
              fmt::format("not reached {}", name));
  print_row("written to", s.directory);
}

/// Says in one line each what is wrong with a finished run. @return exit code
int verdict(const RunSummary& summary, const Simulation& simulation, bool check) {
  int code = kGood;
  for (int env = 0; env < simulation.n_env(); ++env)
    if (simulation.failed(env)) {
      spdlog::error("environment {} failed: its state is not a number (the step is in steps.csv)",
                    env);
      code = kFailed;
    }
  const int failed_steps = summary.statistics.failed_steps();
  if (failed_steps > 0) {
    spdlog::log(check ? spdlog::level::err : spdlog::level::warn, "steps that did not converge: {}",
                failed_steps);
    if (check) code = kFailed;
  }
  for (const CheckResult& c : summary.checks) {
    if (c.passed || !check) continue;
    spdlog::error("check {} failed: {:.6g} {} (bound {:.6g})", c.name, c.value, c.unit, c.bound);
    code = kFailed;
  }
  if (check && !summary.checks_not_reached.empty() && !summary.interrupted)
    spdlog::warn("checks not reached, the run is too short for them: {}",
                 summary.checks_not_reached.size());
  if (summary.interrupted) {
    spdlog::warn("interrupted after step {} (files are closed)", summary.steps);
    code = kInterrupted;
  }
  return code;
}

RunSummary describe(const Scenario& scenario, const Simulation& simulation,
                    const ResolvedBackend& backend) {
  RunSummary summary;
  summary.scenario = scenario.scene.name;
  summary.backend = name_of(backend.backend);
  summary.solver = scenario.solver;
  summary.n_node = simulation.model().n_node();
  summary.n_tet = simulation.model().n_tet();
  summary.n_env = simulation.n_env();
  summary.seed = scenario.seed;
  summary.version = kVersion;
  summary.commit = kCommit;
  summary.machine = this_machine();
  return summary;
}

int run(const RunOptions& options) {
  catch_interrupts();
  Scenario scenario =
      options.scenario.load(options.solver ? std::vector{"solver.solver=" + *options.solver}
                                           : std::vector<std::string>{});
  const ResolvedBackend backend = options.backend.resolve(scenario.solver.solver);
  scenario.solver.backend = backend.backend;
  if (!backend.fell_back_because.empty())
    spdlog::info("backend auto: the CPU ({})", backend.fell_back_because);
  const int n_step = step_count(scenario.scene.time);
  Simulation simulation({scenario.scene}, scenario.solver);
  ScenarioChecks checks(scenario.scene, scenario.checks);
  RunDirectory directory(
      options.directory.empty() ? default_directory(scenario.scene.name) : options.directory,
      scenario.resolved_yaml, simulation,
      {scenario.output.every_steps, scenario.output.part_frames});
  RunSummary summary = describe(scenario, simulation, backend);
  summary.directory = directory.path();

  const auto start = std::chrono::steady_clock::now();
  Progress progress(n_step);
  while (summary.steps < n_step && !interrupted() && !every_environment_failed(simulation)) {
    simulation.step([&](const StepView& view) {
      summary.statistics.add(view.record);
      checks.observe(view);
      directory.record(view);
    });
    progress.update(++summary.steps);
  }
  progress.clear();
  directory.close();
  summary.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  summary.simulated_s = summary.steps * scenario.scene.time.step_s;
  summary.interrupted = summary.steps < n_step && interrupted();
  if (!summary.interrupted) summary.checks = checks.results();
  summary.checks_not_reached = checks.not_reached();
  const std::string json = summary_json(summary);
  directory.write_summary(json);

  if (options.json)
    fmt::print("{}", json);
  else
    print_table(summary);
  std::fflush(stdout);
  return verdict(summary, simulation, options.check);
}

}  // namespace

Action declare_run(CLI::App& app) {
  const auto options = std::make_shared<RunOptions>();
  options->scenario.declare(app);
  app.add_option("--solver", options->solver, "name in the catalogue (nodia info)")
      ->type_name("NAME")
      ->group("Solver");
  options->backend.declare(app);
  app.add_option("--out", options->directory, "run directory; without it out/<scenario name>")
      ->type_name("DIR");
  app.add_flag("--check", options->check,
               "exit code 1 where a check fails or a step does not converge");
  app.add_flag("--json", options->json, "summary as one JSON object on stdout, messages on stderr");
  return [options] { return run(*options); };
}

}  // namespace nodia::cli
