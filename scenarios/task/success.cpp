#include "scenarios/task/success.hpp"

#include <algorithm>
#include <cmath>

namespace nodia {

PredicateWatch::PredicateWatch(const TaskDescription& task, const PredicateKind& kind,
                               const Scene& scene)
    : scene_(scene),
      kind_(kind),
      moment_(compares_a_moment(kind_)),
      n_needed_(success_steps(task, kind, scene)),
      period_(steps_per_action(task, scene)) {}
PredicateWatch::~PredicateWatch() = default;
PredicateWatch::PredicateWatch(PredicateWatch&&) noexcept = default;

std::unique_ptr<Judge> PredicateWatch::judge_of(double from_s, double to_s) const {
  return std::visit([&](const auto& check) { return make_judge("success", scene_, check); },
                    at_time(kind_, from_s, to_s));
}

void PredicateWatch::observe(const StepView& view) {
  const double end_s = view.record.time_s, step_s = scene_.time.step_s;
  if (moment_) {
    const std::unique_ptr<Judge> judge = judge_of(end_s - step_s, end_s);
    judge->observe(view);
    compare(*judge);
    n_right_ = shortfall_ == 0.0 ? n_right_ + 1 : 0;
    reached_ = n_right_ >= n_needed_;
    return;
  }
  if (n_seen_++ % period_ == 0)
    windows_.push_back({judge_of(end_s - step_s, end_s + (n_needed_ - 1) * step_s)});
  for (Window& window : windows_) {
    window.judge->observe(view);
    ++window.n_step;
  }
  if (windows_.front().n_step < n_needed_) return;
  compare(*windows_.front().judge);
  reached_ = shortfall_ == 0.0;
  windows_.pop_front();
}

void PredicateWatch::compare(const Judge& judge) {
  shortfall_.reset();
  if (!judge.reached() || !judge.nothing_compared().empty()) return;
  const CheckResult result = judge.result();
  if (!std::isnan(result.value))
    shortfall_ = result.passed ? 0 : std::fabs(result.value - result.bound);
}

SuccessWatch::SuccessWatch(const TaskDescription& task, const Scene& scene) {
  watches_.emplace_back(task, task.success->kind, scene);
  for (const SuccessCondition& also : task.success_also)
    watches_.emplace_back(task, also.kind, scene);
}

void SuccessWatch::observe(const StepView& view) {
  for (PredicateWatch& watch : watches_) watch.observe(view);
}

bool SuccessWatch::reached() const {
  return std::all_of(watches_.begin(), watches_.end(),
                     [](const PredicateWatch& watch) { return watch.reached(); });
}

}  // namespace nodia
