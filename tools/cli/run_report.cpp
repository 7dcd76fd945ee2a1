#include "tools/cli/run_report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "tools/cli/verb.hpp"

namespace nodia::cli {
namespace {

/// A check over the environments it was reached in.
struct CheckOutcome {
  std::string name;
  int n_passed = 0, n_failed = 0;
  CheckResult shown;  ///< of the first environment that failed, else of the first
};

std::vector<CheckOutcome> outcomes_of(const std::vector<CheckResult>& checks) {
  std::vector<CheckOutcome> outcomes;
  for (const CheckResult& c : checks) {
    auto outcome = std::find_if(outcomes.begin(), outcomes.end(),
                                [&](const CheckOutcome& o) { return o.name == c.name; });
    if (outcome == outcomes.end()) outcome = outcomes.insert(outcome, {c.name, 0, 0, c});
    if (!c.passed && outcome->n_failed == 0) outcome->shown = c;
    ++(c.passed ? outcome->n_passed : outcome->n_failed);
  }
  return outcomes;
}

/// Where a check failed; nothing where there is one environment.
std::string where_failed(const CheckOutcome& o, std::size_t n_env) {
  if (n_env == 1) return "";
  return fmt::format(" in {} of {} environments, first in environment {}", o.n_failed,
                     o.n_passed + o.n_failed, o.shown.env);
}

/// `passed no_penetration: 1e-9 m (bound 1e-05)`; no numbers where several environments passed.
std::string told(const CheckOutcome& o, std::size_t n_env) {
  const CheckResult& c = o.shown;
  if (c.passed && n_env > 1) return fmt::format("passed {} in {} environments", c.name, o.n_passed);
  return fmt::format("{} {}{}: {:.4g} {} (bound {:.4g})", c.passed ? "passed" : "FAILED", c.name,
                     c.passed ? "" : where_failed(o, n_env), c.value, c.unit == "-" ? "" : c.unit,
                     c.bound);
}

void print_row(const char* name, const std::string& value) {
  fmt::print("{:<18} {}\n", name, value);
}

void print_checks(const RunSummary& s) {
  const char* title = "checks";
  for (const CheckOutcome& o : outcomes_of(s.checks)) {
    print_row(title, told(o, s.environments.size()));
    title = "";
  }
  for (const std::string& name : s.checks_not_reached) {
    print_row(title, fmt::format("not reached {}", name));
    title = "";
  }
}

}  // namespace

void print_table(const RunSummary& s) {
  const StepStatistics& t = s.statistics;
  const EnvironmentSummary& first = s.environments.front();
  const std::size_t n_env = s.environments.size();
  print_row("scenario", fmt::format("{} ({} nodes, {} tetrahedra, {} degrees of freedom)",
                                    s.scenario, first.n_node, first.n_tet, first.n_dof));
  if (n_env > 1)
    print_row("environments", fmt::format("{}, seeds {} to {} (the mesh is that of the first)",
                                          n_env, first.seed, s.environments.back().seed));
  print_row("solver", fmt::format("{}, stop {} at {:g}, {} precision, {}", s.solver.solver,
                                  name_of(s.solver.stop), s.solver.tolerance,
                                  name_of(s.solver.precision), s.backend));
  if (!s.backend_because.empty())
    print_row("backend auto", fmt::format("{}: {}", s.backend, s.backend_because));
  print_row("steps",
            fmt::format("{} ({:g} s simulated in {:.2f} s)", s.steps, s.simulated_s, s.wall_s));
  if (n_env > 1)
    print_row("throughput",
              fmt::format("{:.1f} steps of an environment per second", t.steps() / s.wall_s));
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
  print_checks(s);
  print_row("written to", s.directory);
}

int verdict(const RunSummary& summary, bool check) {
  int code = kGood;
  for (const StepStatistics::Failure& f : summary.statistics.failures()) {
    spdlog::error("environment {} failed: its state is not a number in step {} ({})", f.env, f.step,
                  f.reason);
    code = kFailed;
  }
  const int failed_steps = summary.statistics.failed_steps();
  if (failed_steps > 0) {
    spdlog::log(check ? spdlog::level::err : spdlog::level::warn, "steps that did not converge: {}",
                failed_steps);
    if (check) code = kFailed;
  }
  for (const CheckOutcome& o : outcomes_of(summary.checks)) {
    if (o.n_failed == 0 || !check) continue;
    const CheckResult& c = o.shown;
    spdlog::error("check {} failed{}: {:.6g} {} (bound {:.6g})", c.name,
                  where_failed(o, summary.environments.size()), c.value, c.unit, c.bound);
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

}  // namespace nodia::cli
