/// Evaluator of checks that compare the mean of a force over a window of steps.
#pragma once

#include <cmath>
#include <string>

#include "host/scene/scene.hpp"
#include "scenarios/checks/check_evaluator.hpp"
#include "scenarios/checks/window.hpp"

namespace nodia {

/// Value: |mean - value_N| [N]. Bound: tolerance_N, or relative_tolerance |value_N|.
class MeanForceEvaluator : public CheckEvaluator {
 public:
  /// @param check  has from_s, to_s, value_N, and tolerance_N or relative_tolerance
  template <class Check>
  MeanForceEvaluator(const std::string& name, const Scene& scene, const Check& check)
      : CheckEvaluator(name, "force", "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        value_N_(check.value_N),
        tolerance_N_(check.tolerance_N
                         ? *check.tolerance_N
                         : check.relative_tolerance.value_or(0) * std::fabs(check.value_N)) {}

  void observe(const StepView& view) final {
    if (!window_.contains(view.record.time_s)) return;
    sum_N_ += force_N(view);
    ++n_step_;
  }
  bool reached() const final { return window_.reached(); }
  std::string nothing_compared() const final { return window_.too_few_steps(); }
  CheckResult result() const final { return near(sum_N_ / n_step_, value_N_, tolerance_N_); }
  void archive(Archive& a) override {
    a("window", window_);
    a("sum_N", sum_N_);
    a("n_step", n_step_);
  }

 private:
  /// Force of a step in the window.
  virtual double force_N(const StepView& view) const = 0;

  Window window_;
  double value_N_, tolerance_N_;
  double sum_N_ = 0;
  int n_step_ = 0;
};

}  // namespace nodia
