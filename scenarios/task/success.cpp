#include "scenarios/task/success.hpp"

#include <algorithm>
#include <cmath>
#include <string>

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

std::unique_ptr<CheckEvaluator> PredicateWatch::evaluator_of(double from_s, double to_s) const {
  return std::visit([&](const auto& check) { return make_evaluator("success", scene_, check); },
                    at_time(kind_, from_s, to_s));
}

PredicateWatch::Window PredicateWatch::window_from(double first_end_s) const {
  const double step_s = scene_.time.step_s;
  return {evaluator_of(first_end_s - step_s, first_end_s + (n_needed_ - 1) * step_s), first_end_s};
}

void PredicateWatch::observe(const StepView& view) {
  const double end_s = view.record.time_s, step_s = scene_.time.step_s;
  if (moment_) {
    const std::unique_ptr<CheckEvaluator> evaluator = evaluator_of(end_s - step_s, end_s);
    evaluator->observe(view);
    compare(*evaluator);
    n_right_ = shortfall_ == 0.0 ? n_right_ + 1 : 0;
    reached_ = n_right_ >= n_needed_;
    return;
  }
  if (n_seen_++ % period_ == 0) windows_.push_back(window_from(end_s));
  for (Window& window : windows_) {
    window.evaluator->observe(view);
    ++window.n_step;
  }
  if (windows_.front().n_step < n_needed_) return;
  compare(*windows_.front().evaluator);
  reached_ = shortfall_ == 0.0;
  windows_.pop_front();
}

void PredicateWatch::compare(const CheckEvaluator& evaluator) {
  shortfall_.reset();
  if (!evaluator.reached() || !evaluator.nothing_compared().empty()) return;
  const CheckResult result = evaluator.result();
  if (!std::isnan(result.value))
    shortfall_ = result.passed ? 0 : std::fabs(result.value - result.bound);
}

void PredicateWatch::archive(Archive& a) {
  a("n_seen", n_seen_);
  a("n_right", n_right_);
  a("reached", reached_);
  a("shortfall", shortfall_);
  std::size_t n_window = windows_.size();
  a("n_window", n_window);
  if (a.reads()) windows_.clear();
  for (std::size_t w = 0; w < n_window; ++w) {
    const std::string name = "window " + std::to_string(w);
    double first_end_s = a.reads() ? 0 : windows_[w].first_end_s;
    a(name + " first_end_s", first_end_s);
    if (a.reads()) windows_.push_back(window_from(first_end_s));
    a(name + " n_step", windows_[w].n_step);
    a(name + " judge", *windows_[w].evaluator);
  }
}

SuccessWatch::SuccessWatch(const TaskDescription& task, const Scene& scene) {
  watches_.emplace_back(task, task.success->kind, scene);
  for (const SuccessCondition& also : task.success_also)
    watches_.emplace_back(task, also.kind, scene);
}

void SuccessWatch::observe(const StepView& view) {
  for (PredicateWatch& watch : watches_) watch.observe(view);
}

void SuccessWatch::archive(Archive& a) {
  for (std::size_t w = 0; w < watches_.size(); ++w) a(std::to_string(w), watches_[w]);
}

bool SuccessWatch::reached() const {
  return std::all_of(watches_.begin(), watches_.end(),
                     [](const PredicateWatch& watch) { return watch.reached(); });
}

}  // namespace nodia
