#include "tools/cli/run_report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

#include "host/io/look_at.hpp"
#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {
namespace {

/// A check over the environments it was reached in.
struct CheckOutcome {
  std::string name;
  int n_passed = 0, n_failed = 0, n_no_data = 0;
  /// Of the first environment that failed, else that had nothing to compare, else of the first.
  CheckResult shown;

  int n_env() const { return n_passed + n_failed + n_no_data; }
};

/// 2 failed, 1 nothing to compare, 0 passed.
int severity_of(const CheckResult& c) {
  return c.failed() ? 2 : c.no_data ? 1 : 0;
}

std::vector<CheckOutcome> outcomes_of(const std::vector<CheckResult>& checks) {
  std::vector<CheckOutcome> outcomes;
  for (const CheckResult& c : checks) {
    auto outcome = std::find_if(outcomes.begin(), outcomes.end(),
                                [&](const CheckOutcome& o) { return o.name == c.name; });
    if (outcome == outcomes.end()) outcome = outcomes.insert(outcome, {c.name, 0, 0, 0, c});
    if (severity_of(c) > severity_of(outcome->shown)) outcome->shown = c;
    ++(c.passed ? outcome->n_passed : c.no_data ? outcome->n_no_data : outcome->n_failed);
  }
  return outcomes;
}

/// Where a check did not pass; nothing where there is one environment.
std::string where(const CheckOutcome& o, std::size_t n_env) {
  if (n_env == 1) return "";
  return fmt::format(" in {} of {} environments, first in environment {}",
                     o.shown.failed() ? o.n_failed : o.n_no_data, o.n_env(), o.shown.env);
}

/// `passed no_penetration: 1e-9 m, at most 1e-05 m`; no numbers where several environments passed.
std::string told(const CheckOutcome& o, std::size_t n_env) {
  const CheckResult& c = o.shown;
  if (!c.not_compared.empty())
    return fmt::format("not compared {}{}: {}", c.name, where(o, n_env), c.not_compared);
  if (c.passed && n_env > 1) return fmt::format("passed {} in {} environments", c.name, o.n_passed);
  return fmt::format("{} {}{}: {}", c.passed ? "passed" : "FAILED", c.name,
                     c.passed ? "" : where(o, n_env), comparison_of(c));
}

/// `3 diverged, first in step 7: REASON`.
std::string told(SolveStatus status, const StepStatistics::Ending& ending, std::size_t n_env) {
  return fmt::format("{} {}, first in step {}{}{}", ending.count, name_of(status), ending.step,
                     n_env > 1 ? fmt::format(" of environment {}", ending.env) : "",
                     ending.reason.empty() ? "" : ": " + ending.reason);
}

/// @param scale  of the value, to the unit shown
std::string told(const LargestValue& largest, double scale, const char* unit) {
  if (largest.why.empty()) return fmt::format("{:.3g}{} at most", scale * largest.value, unit);
  return fmt::format("not finite, first in step {} ({})", largest.step, largest.why);
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
  const double tolerance = tolerance_of(s.solver);
  print_row("solver",
            fmt::format("{}, stop {}{}, {} precision, {}", s.solver.solver,
                        name_of(stop_rule_of(s.solver)),
                        tolerance != kOwnTolerance ? fmt::format(" at {:g}", tolerance) : "",
                        name_of(s.solver.of<CondOptions>().precision), s.backend));
  if (!t.solvers().empty()) {
    std::string chosen;
    for (const auto& [solver, n_step] : t.solvers())
      chosen += fmt::format("{}{} in {} steps", chosen.empty() ? "" : ", ", solver, n_step);
    print_row("solver chosen", chosen);
  }
  if (!s.backend_because.empty())
    print_row("backend", fmt::format("{}: {}", s.backend, s.backend_because));
  if (s.loop) {
    print_row("device", fmt::format("{}, loop by {}{}{}", *s.device, *s.loop,
                                    s.loop_because.empty() ? "" : ": ", s.loop_because));
    print_row("steps on it", fmt::format("{} of {} as a whole", t.steps_on_device(), t.steps()));
  }
  print_row("steps",
            fmt::format("{} ({:g} s simulated in {:.2f} s)", s.steps, s.simulated_s, s.wall_s));
  if (n_env > 1)
    print_row("throughput",
              fmt::format("{:.1f} steps of an environment per second", t.steps() / s.wall_s));
  std::string ends;
  for (const auto& [status, ending] : t.endings())
    ends += fmt::format("{}{} {}", ends.empty() ? "" : ", ", ending.count, name_of(status));
  print_row("ended", ends.empty() ? "-" : ends);
  print_row("iterations",
            fmt::format("{:.1f} mean, {} at most", t.iterations_mean(), t.iterations_max()));
  print_row("relative residual", told(t.relative_residual(), 1, ""));
  print_row("certificate", told(t.certificate_J(), 1, " J"));
  if (t.estimated_steps() > 0)
    print_row("error estimate",
              fmt::format("{:.2g} at most in {} steps; limited by rounding in {} steps",
                          t.error_estimate_max(), t.estimated_steps() - t.floor_ended_steps(),
                          t.floor_ended_steps()));
  print_row("penetration", told(t.penetration_m(), 1e3, " mm"));
  print_row("time per step", fmt::format("{:.3f} ms dynamics, {:.3f} ms solver",
                                         t.dynamics_ms_mean(), t.solver_ms_mean()));
  print_checks(s);
  const char* title = "look at";
  for (const LookAt& item : what_to_look_at(s)) {
    print_row(title, item.text);
    title = "";
  }
  print_row("written to", s.directory);
}

void OverlapTeller::tell(const StepRecord& record, std::size_t n_env,
                         const std::function<void()>& before) {
  constexpr int kMost = 10;
  if (record.overlaps.empty() || n_told_ > kMost) return;
  before();
  for (const OverlapNotice& o : record.overlaps) {
    if (++n_told_ > kMost) {
      spdlog::warn("more objects lie in each other: overlaps in summary.json has all");
      return;
    }
    const std::string when = o.at_start ? "at the start; move them apart"
                                        : fmt::format("at the end of step {}", record.step);
    spdlog::warn("{}{} and {} lie {:.3g} mm in each other, {} of the smaller one ({})",
                 n_env > 1 ? fmt::format("environment {}: ", record.env) : "", o.i, o.j,
                 1e3 * o.depth_m, shown_percent(o.share), when);
  }
}

int verdict(const RunSummary& summary, bool check) {
  int code = kGood;
  for (const StepStatistics::Failure& f : summary.statistics.failures()) {
    spdlog::error("environment {} failed: its state is not a number in step {} ({})", f.env, f.step,
                  f.reason);
    code = kFailed;
  }
  const StepStatistics& t = summary.statistics;
  if (t.failed_steps() > 0) {
    std::string ends;
    for (const auto& [status, ending] : t.endings())
      if (status != SolveStatus::converged)
        ends += (ends.empty() ? "" : "; ") + told(status, ending, summary.environments.size());
    const bool counts = check || t.failed();
    spdlog::log(counts ? spdlog::level::err : spdlog::level::warn,
                "steps that did not converge: {} of {} ({})", t.failed_steps(), t.steps(), ends);
    if (counts) code = kFailed;
  }
  for (const CheckOutcome& o : outcomes_of(summary.checks)) {
    const CheckResult& c = o.shown;
    if (c.passed || !check) continue;
    const std::string environments = where(o, summary.environments.size());
    if (c.not_compared.empty())
      spdlog::error("check {} failed{}: {}", c.name, environments, comparison_of(c));
    else
      spdlog::log(c.no_data ? spdlog::level::warn : spdlog::level::err,
                  "check {} not compared{}: {}", c.name, environments, c.not_compared);
    if (!c.no_data) code = kFailed;
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
