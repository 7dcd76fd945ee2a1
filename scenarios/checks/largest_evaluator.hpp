/// Evaluator of checks that bound the maximum of a value over all steps.
#pragma once

#include <optional>

#include "kernels/core/numbers.hpp"
#include "scenarios/checks/check_evaluator.hpp"

namespace nodia {

/// Maximum of a value over the steps that have one.
class LargestEvaluator : public CheckEvaluator {
 public:
  using Measure = std::optional<double> (*)(const StepView&);
  /// @param measure  value of a step; may be absent
  /// @param nothing  message if no step has a value
  LargestEvaluator(const std::string& name, const char* quantity, const char* unit, double bound,
                   Measure measure, const char* nothing)
      : CheckEvaluator(name, quantity, unit), bound_(bound), measure_(measure), nothing_(nothing) {}

  void observe(const StepView& view) override {
    reached_ = true;
    if (const std::optional<double> value = measure_(view))
      largest_ = largest_ ? larger_or_nan(*largest_, *value) : value;
  }
  bool reached() const override { return reached_; }
  std::string nothing_compared() const override { return largest_ ? "" : nothing_; }
  CheckResult result() const override { return at_most(*largest_, bound_); }
  void archive(Archive& a) override {
    a("largest", largest_);
    a("reached", reached_);
  }

 private:
  double bound_;
  Measure measure_;
  const char* nothing_;
  std::optional<double> largest_;
  bool reached_ = false;
};

}  // namespace nodia
