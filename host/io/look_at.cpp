#include "host/io/look_at.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "host/io/summary_json.hpp"

namespace nodia {
namespace {

constexpr std::size_t kMostOfAKind = 4;

/// List of points that counts the omitted ones of a kind.
class List {
 public:
  explicit List(std::size_t n_env) : n_env_(n_env) {}

  void add(LookAt item) {
    if (++n_of_kind_ <= kMostOfAKind) items_.push_back(std::move(item));
  }
  /// Ends a kind.
  /// @param plural  description of the omitted points, with the key of summary.json that has all
  void end_kind(const char* what, const char* plural) {
    if (n_of_kind_ > kMostOfAKind)
      items_.push_back(
          {what, -1, -1, fmt::format("{} more {}", n_of_kind_ - kMostOfAKind, plural)});
    n_of_kind_ = 0;
  }
  /// ` of environment 3`; empty if there is only one.
  std::string of_env(int env) const {
    return n_env_ > 1 ? fmt::format(" of environment {}", env) : std::string();
  }
  std::string in_env(int env) const {
    return n_env_ > 1 ? fmt::format("environment {}: ", env) : std::string();
  }
  std::vector<LookAt> take() { return std::move(items_); }

 private:
  std::size_t n_env_, n_of_kind_ = 0;
  std::vector<LookAt> items_;
};

/// ` in environments 3 (9), 17 (2) and 4 more`, most steps first; empty if there is only one.
std::string environments_with(const RunSummary& s, SolveStatus status) {
  if (s.environments.size() < 2) return {};
  std::vector<std::pair<int, int>> count_env;  // minus the count, environment
  for (std::size_t e = 0; e < s.environments.size(); ++e) {
    const auto& endings = s.environments[e].statistics.endings();
    const auto found = endings.find(status);
    if (found != endings.end()) count_env.emplace_back(-found->second.count, static_cast<int>(e));
  }
  std::sort(count_env.begin(), count_env.end());
  std::string text = count_env.size() == 1 ? " in environment " : " in environments ";
  for (std::size_t k = 0; k < std::min(count_env.size(), kMostOfAKind); ++k)
    text += fmt::format("{}{} ({})", k ? ", " : "", count_env[k].second, -count_env[k].first);
  if (count_env.size() > kMostOfAKind)
    text += fmt::format(" and {} more", count_env.size() - kMostOfAKind);
  return text;
}

void add_endings(const RunSummary& s, List* list) {
  std::vector<std::pair<SolveStatus, StepStatistics::Ending>> endings;
  for (const auto& [status, ending] : s.statistics.endings())
    if (status != SolveStatus::converged) endings.emplace_back(status, ending);
  // Statuses that fail the run come first.
  std::stable_sort(endings.begin(), endings.end(), [](const auto& a, const auto& b) {
    return is_failure(a.first) > is_failure(b.first);
  });
  for (const auto& [status, e] : endings)
    list->add({"unconverged", e.env, e.step,
               fmt::format("{} of {} steps ended with status {}{}; first in step {}{} ({:.6g} s){}",
                           e.count, s.statistics.steps(), name_of(status),
                           environments_with(s, status), e.step, list->of_env(e.env), e.time_s,
                           e.reason.empty() ? "" : ": " + e.reason)});
  list->end_kind("unconverged", "statuses (unconverged)");
}

void add_checks(const RunSummary& s, List* list) {
  struct Outcome {
    const CheckResult* first;
    int n = 0, n_env = 0;
  };
  for (const bool failed : {true, false}) {
    const char* const what = failed ? "check_failed" : "check_not_compared";
    std::map<std::string, int> n_env;
    std::vector<Outcome> outcomes;
    for (const CheckResult& c : s.checks) {
      ++n_env[c.name];
      if (c.passed || c.failed() != failed) continue;
      const auto same = std::find_if(outcomes.begin(), outcomes.end(),
                                     [&](const Outcome& o) { return o.first->name == c.name; });
      if (same == outcomes.end())
        outcomes.push_back({&c, 1, 0});
      else
        ++same->n;
    }
    for (const Outcome& o : outcomes) {
      const CheckResult& c = *o.first;
      const std::string where =
          s.environments.size() > 1
              ? fmt::format(" in {} of {} environments, first {}", o.n, n_env[c.name], c.env)
              : std::string();
      list->add({what, c.env, -1,
                 c.not_compared.empty()
                     ? fmt::format("check {} failed{}: {}", c.name, where, comparison_of(c))
                     : fmt::format("check {} not compared{}: {}", c.name, where, c.not_compared)});
    }
    list->end_kind(what, "(checks)");
  }
  if (!s.checks_not_reached.empty())
    list->add(
        {"check_not_reached", -1, -1,
         fmt::format(
             "number of checks that were not reached because the run ended before their time: {}",
             s.checks_not_reached.size())});
  list->end_kind("check_not_reached", "(checks_not_reached)");
}

/// Adds every pair of objects at its largest depth.
void add_overlaps(const RunSummary& s, List* list) {
  std::vector<StepStatistics::Overlap> deepest;
  for (const StepStatistics::Overlap& o : s.statistics.overlaps()) {
    const auto same = std::find_if(deepest.begin(), deepest.end(), [&](const auto& d) {
      return d.notice.i == o.notice.i && d.notice.j == o.notice.j;
    });
    if (same == deepest.end())
      deepest.push_back(o);
    else if (o.notice.share > same->notice.share)
      *same = o;
  }
  std::stable_sort(deepest.begin(), deepest.end(),
                   [](const auto& a, const auto& b) { return a.notice.share > b.notice.share; });
  for (const StepStatistics::Overlap& o : deepest)
    list->add(
        {"overlap", o.env, o.step,
         fmt::format("{}{} and {} overlap by {:.3g} mm, {} of the smaller one, {}",
                     list->in_env(o.env), o.notice.i, o.notice.j, 1e3 * o.notice.depth_m,
                     shown_percent(o.notice.share),
                     o.notice.at_start ? std::string("at the start")
                                       : fmt::format("in step {} ({:.6g} s)", o.step, o.time_s))});
  list->end_kind("overlap", "pairs (overlaps)");
}

void add_turn(const RunSummary& s, List* list) {
  const StepStatistics::Turn& t = s.statistics.largest_turn();
  if (t.turn.body.empty()) return;
  list->add({"turn", t.env, t.step,
             fmt::format("{}{} turned by {:.2g} rad in step {} ({:.6g} s): results depend on steps "
                         "this large (take a smaller time.step_s)",
                         list->in_env(t.env), t.turn.body, t.turn.angle_rad, t.step, t.time_s)});
  list->end_kind("turn", "(turns)");
}

void add_broken_mounts(const RunSummary& s, List* list) {
  for (const StepStatistics::Broken& broken : s.statistics.broken_mounts())
    list->add({"broken_mount", broken.env, broken.step,
               fmt::format("{}mount {} broke in step {} ({:.6g} s)", list->in_env(broken.env),
                           broken.mount, broken.step, broken.time_s)});
  list->end_kind("broken_mount", "mounts that broke");
}

void add_limited_drives(const RunSummary& s, List* list) {
  for (const auto& [joint, limited] : s.statistics.limited_drives())
    list->add({"effort_limit", limited.env, limited.step,
               fmt::format("{}{} was at its effort limit of {:.4g} {} in {} of {} steps, first in "
                           "step {} ({:.6g} s)",
                           list->in_env(limited.env), joint, limited.drive.limit,
                           limited.drive.slides ? "N" : "N m", limited.count, s.statistics.steps(),
                           limited.step, limited.time_s)});
  list->end_kind("effort_limit", "drives at their limits");
}

}  // namespace

std::string shown_percent(double share) {
  const double percent = 100 * share;
  return percent < 99.5 ? fmt::format("{:.2g} %", percent) : fmt::format("{:.0f} %", percent);
}

std::vector<LookAt> what_to_look_at(const RunSummary& s) {
  List list(s.environments.size());
  for (const StepStatistics::Failure& f : s.statistics.failures())
    list.add(
        {"failed_environment", f.env, f.step,
         fmt::format("environment {} failed in step {} ({:.6g} s): its state is not finite ({})",
                     f.env, f.step, f.time_s, f.reason)});
  list.end_kind("failed_environment", "(failed_environments)");
  add_endings(s, &list);
  add_overlaps(s, &list);
  add_turn(s, &list);
  add_broken_mounts(s, &list);
  add_limited_drives(s, &list);
  add_checks(s, &list);
  for (const std::string& warning : s.warnings)
    list.add({"warning", -1, -1, "at the start: " + warning});
  list.end_kind("warning", "(warnings)");
  if (s.interrupted)
    list.add({"interrupted", -1, s.steps, fmt::format("interrupted after step {}", s.steps)});
  return list.take();
}

}  // namespace nodia
