/// Evaluator of checks that compare a value at one time.
#pragma once

#include <optional>
#include <string>

#include "host/scene/scene.hpp"
#include "scenarios/checks/check_evaluator.hpp"

namespace nodia {

/// Evaluates the first step that ends at or after `at_s`. Half a step allows for rounding of times.
class MomentEvaluator : public CheckEvaluator {
 public:
  /// @param at_s  time of the comparison [s]; absent: the end of the run
  MomentEvaluator(const std::string& name, const std::string& quantity, const std::string& unit,
                  const Scene& scene, std::optional<double> at_s)
      : CheckEvaluator(name, quantity, unit),
        due_s_(at_s.value_or(scene.time.duration_s) - scene.time.step_s / 2) {}

  void observe(const StepView& view) final {
    if (reached_ || view.record.time_s < due_s_) return;
    reached_ = true;
    value_ = value(view);
  }
  bool reached() const final { return reached_; }
  CheckResult result() const final { return evaluated(value_); }
  void archive(Archive& a) final {
    a("value", value_);
    a("reached", reached_);
  }

 private:
  /// Value at the end of a step.
  virtual double value(const StepView& view) const = 0;
  virtual CheckResult evaluated(double value) const = 0;

  double due_s_;
  double value_ = 0;
  bool reached_ = false;
};

}  // namespace nodia
