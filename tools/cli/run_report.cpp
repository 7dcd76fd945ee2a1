#include "tools/cli/run_report.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/io/look_at.hpp"
#include "host/solvers/catalogue.hpp"
#include "tools/command/verb.hpp"

namespace nodia::cli {
namespace {

/// Results of a check in all environments that reached it.
struct CheckOutcome {
  std::string name;
  int n_passed = 0, n_failed = 0, n_no_data = 0;
  /// Result of the first environment that failed; else of the first one without data; else of the
  /// first one.
  CheckResult shown;

  int n_env() const { return n_passed + n_failed + n_no_data; }
};

/// Rank of a result: 2 failed, 1 nothing to compare, 0 passed.
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

/// Environments in which a check did not pass; empty for a run with one environment.
std::string where(const CheckOutcome& o, std::size_t n_env) {
  if (n_env == 1) return "";
  return fmt::format(" in {} of {} environments, first in environment {}",
                     o.shown.failed() ? o.n_failed : o.n_no_data, o.n_env(), o.shown.env);
}

/// Text such as "passed no_penetration: largest penetration 1e-9 m, must be at most 1e-05 m".
/// Without numbers if the check passed in several environments.
std::string in_words(const CheckOutcome& o, std::size_t n_env) {
  const CheckResult& c = o.shown;
  if (!c.not_compared.empty())
    return fmt::format("not compared {}{}: {}", c.name, where(o, n_env), c.not_compared);
  if (c.passed && n_env > 1) return fmt::format("passed {} in {} environments", c.name, o.n_passed);
  return fmt::format("{} {}{}: {}", c.passed ? "passed" : "FAILED", c.name,
                     c.passed ? "" : where(o, n_env), comparison_of(c));
}

/// Text such as "3 diverged, first in step 7: REASON".
std::string in_words(SolveStatus status, const StepStatistics::Ending& ending, std::size_t n_env) {
  return fmt::format("{} {}, first in step {}{}{}", ending.count, name_of(status), ending.step,
                     n_env > 1 ? fmt::format(" of environment {}", ending.env) : "",
                     ending.reason.empty() ? "" : ": " + ending.reason);
}

/// Text of a value.
/// @param scale   factor from the SI unit to the printed unit
/// @param suffix  text after the number: unit and explanation
std::string in_words(const LargestValue& largest, double scale, const char* suffix) {
  if (largest.why.empty()) return fmt::format("{:.3g}{}", scale * largest.value, suffix);
  return fmt::format("not finite, first in step {} ({})", largest.step, largest.why);
}

/// Text such as "0.099 % of the velocity (659 steps; in 41 other steps the bodies were at rest)".
/// The relative error of a body at rest has no meaning, because its velocity is a rounding error.
std::string estimated_error(const StepStatistics& t) {
  const int n_resting = t.floor_ended_steps(), n_moving = t.estimated_steps() - n_resting,
            n_without = t.steps() - t.estimated_steps();
  std::string text = n_moving > 0 ? fmt::format("{} of the velocity ({} steps",
                                                shown_percent(t.error_estimate_max()), n_moving)
                                  : "none (0 steps";
  if (n_resting > 0) text += fmt::format("; in {} other steps the bodies were at rest", n_resting);
  if (n_without > 0) text += fmt::format("; {} steps have no estimate", n_without);
  return text + ")";
}

/// Text such as "newton in 690 steps, cond in 10 steps".
std::string chosen_solvers(const StepStatistics& t) {
  std::vector<std::string> chosen;
  for (const auto& [solver, n_step] : t.solvers())
    chosen.push_back(fmt::format("{} in {} steps", solver, n_step));
  return fmt::format("{}", fmt::join(chosen, ", "));
}

/// Text such as "697 converged, 3 iteration_limit".
std::string steps_by_status(const StepStatistics& t) {
  std::vector<std::string> counts;
  for (const auto& [status, ending] : t.endings())
    counts.push_back(fmt::format("{} {}", ending.count, name_of(status)));
  if (counts.empty()) return "no step";
  return fmt::format("{}", fmt::join(counts, ", "));
}

/// Text such as "4 passed, 1 failed, 9 not reached (the run ended before their time)".
std::string count_checks(const std::vector<CheckOutcome>& outcomes, std::size_t n_not_reached) {
  int n_passed = 0, n_failed = 0, n_no_data = 0;
  for (const CheckOutcome& o : outcomes)
    ++(o.shown.passed ? n_passed : o.shown.no_data ? n_no_data : n_failed);
  std::vector<std::string> counts;
  if (n_passed > 0) counts.push_back(fmt::format("{} passed", n_passed));
  if (n_failed > 0) counts.push_back(fmt::format("{} failed", n_failed));
  if (n_no_data > 0) counts.push_back(fmt::format("{} not compared", n_no_data));
  if (n_not_reached > 0)
    counts.push_back(
        fmt::format("{} not reached (the run ended before their time)", n_not_reached));
  return fmt::format("{}", fmt::join(counts, ", "));
}

void print_row(const char* name, const std::string& value) {
  fmt::print("{:<25}  {}\n", name, value);
}

void print_what_ran(const RunSummary& s) {
  const StepStatistics& t = s.statistics;
  const EnvironmentSummary& first = s.environments.front();
  print_row("scenario", fmt::format("{} ({} nodes, {} tetrahedra, {} degrees of freedom)",
                                    s.scenario, first.n_node, first.n_tet, first.n_dof));
  if (s.environments.size() > 1)
    print_row("environments",
              fmt::format("{}, seeds {} to {} (the counts above are of the first)",
                          s.environments.size(), first.seed, s.environments.back().seed));
  const double tolerance = tolerance_of(s.solver);
  print_row(
      "solver",
      fmt::format("{}, stopping rule {}{}, {} precision", s.solver.solver,
                  name_of(stop_rule_of(s.solver)),
                  tolerance != kOwnTolerance ? fmt::format(" with tolerance {:g}", tolerance) : "",
                  name_of(s.solver.execution.precision)));
  if (!t.solvers().empty()) print_row("chosen by auto", chosen_solvers(t));
  print_row("backend", s.backend_because.empty()
                           ? s.backend
                           : fmt::format("{}: {}", s.backend, s.backend_because));
  if (!s.loop) return;
  print_row("GPU", fmt::format("device {}, loop {}{}{}", *s.device, *s.loop,
                               s.loop_because.empty() ? "" : ": ", s.loop_because));
  print_row("steps on the GPU", fmt::format("{} of {} completely; of the others the solver alone",
                                            t.steps_on_device(), t.steps()));
}

void print_how_it_went(const RunSummary& s) {
  const StepStatistics& t = s.statistics;
  print_row("steps", fmt::format("{} ({:g} s of simulated time, computed in {:.2f} s)", s.steps,
                                 s.simulated_s, s.wall_s));
  if (s.environments.size() > 1)
    print_row("throughput", fmt::format("{:.1f} steps per second, all environments together",
                                        t.steps() / s.wall_s));
  print_row("steps by solver status", steps_by_status(t));
  print_row("solver iterations", fmt::format("{:.1f} per step on average, {} at most",
                                             t.iterations_mean(), t.iterations_max()));
  print_row("largest relative residual",
            in_words(t.relative_residual(), 1, " (imbalance of momentum, relative)"));
  print_row("largest error energy", in_words(t.certificate_J(), 1, " J (upper bound)"));
  if (t.estimated_steps() > 0) print_row("largest estimated error", estimated_error(t));
  print_row("largest penetration", in_words(t.penetration_m(), 1e3, " mm"));
  print_row("time per step",
            fmt::format("{:.3f} ms solver, {:.3f} ms collision detection and assembly",
                        t.solver_ms_mean(), t.dynamics_ms_mean()));
}

void print_checks(const RunSummary& s) {
  const std::vector<CheckOutcome> outcomes = outcomes_of(s.checks);
  if (outcomes.empty() && s.checks_not_reached.empty()) return;
  print_row("checks", count_checks(outcomes, s.checks_not_reached.size()));
  for (const CheckOutcome& o : outcomes) print_row("", in_words(o, s.environments.size()));
  for (const std::string& name : s.checks_not_reached) print_row("", "not reached " + name);
}

void print_what_to_look_at(const RunSummary& s) {
  const char* title = "attention";
  for (const LookAt& item : what_to_look_at(s)) {
    print_row(title, item.text);
    title = "";
  }
}

}  // namespace

void print_table(const RunSummary& s) {
  print_what_ran(s);
  print_how_it_went(s);
  print_checks(s);
  print_what_to_look_at(s);
  print_row("written to", s.directory);
}

void OverlapTeller::tell(const StepRecord& record, std::size_t n_env,
                         const std::function<void()>& before) {
  constexpr int kMost = 10;
  if (record.overlaps.empty() || n_told_ > kMost) return;
  before();
  for (const OverlapNotice& o : record.overlaps) {
    if (++n_told_ > kMost) {
      spdlog::warn("more objects overlap: summary.json lists all of them under overlaps");
      return;
    }
    const std::string when = o.at_start ? "at the start; move them apart"
                                        : fmt::format("at the end of step {}", record.step);
    spdlog::warn("{}{} and {} overlap by {:.3g} mm, {} of the smaller one ({})",
                 n_env > 1 ? fmt::format("environment {}: ", record.env) : "", o.i, o.j,
                 1e3 * o.depth_m, shown_percent(o.share), when);
  }
}

int verdict(const RunSummary& summary, bool check) {
  int code = kGood;
  for (const StepStatistics::Failure& f : summary.statistics.failures()) {
    spdlog::error("environment {} failed in step {}: its state is not finite ({})", f.env, f.step,
                  f.reason);
    code = kFailed;
  }
  const StepStatistics& t = summary.statistics;
  if (t.failed_steps() > 0) {
    std::string ends;
    for (const auto& [status, ending] : t.endings())
      if (status != SolveStatus::converged)
        ends += (ends.empty() ? "" : "; ") + in_words(status, ending, summary.environments.size());
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
    spdlog::warn("number of checks that were not reached because the run is too short: {}",
                 summary.checks_not_reached.size());
  if (summary.interrupted) {
    spdlog::warn("interrupted after step {}; the files are complete up to this step",
                 summary.steps);
    code = kInterrupted;
  }
  return code;
}

}  // namespace nodia::cli
