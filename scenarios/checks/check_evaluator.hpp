/// Evaluates one check over the steps of one environment.
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/io/archive.hpp"
#include "host/simulation/check_result.hpp"
#include "host/simulation/simulation.hpp"

namespace nodia {

class CheckEvaluator {
 public:
  /// @param quantity  name of the compared value, such as "largest penetration"
  /// @param unit      unit of the value; empty if it has none
  CheckEvaluator(std::string name, std::string quantity, std::string unit)
      : name_(std::move(name)), quantity_(std::move(quantity)), unit_(std::move(unit)) {}
  virtual ~CheckEvaluator() = default;

  /// Called once for every step, in order.
  virtual void observe(const StepView& view) = 0;
  /// True if the run has reached the time of the check.
  virtual bool reached() const = 0;
  /// Reason why nothing was compared although the time was reached; empty if something was.
  virtual std::string nothing_compared() const { return ""; }
  /// Result of the comparison. Requires reached() and an empty nothing_compared().
  virtual CheckResult result() const = 0;
  /// Results of a check that compares several values.
  virtual std::vector<CheckResult> results() const { return {result()}; }
  /// Saves or loads the collected data, such that another evaluator can continue.
  virtual void archive(Archive& a) = 0;
  const std::string& name() const { return name_; }

 protected:
  /// Passes if value <= bound. NaN fails.
  CheckResult at_most(double value, double bound) const { return compare(value, bound, false); }
  CheckResult at_least(double value, double bound) const { return compare(value, bound, true); }
  /// Passes if |measured - expected| <= tolerance. This difference is the value of the result.
  CheckResult near(double measured, double expected, double tolerance) const {
    CheckResult result = at_most(std::fabs(measured - expected), tolerance);
    result.expectation = Expectation{measured, expected, tolerance, unit_};
    return result;
  }
  /// Passes if value is between the bounds. At least one bound must be set. A failed result has the
  /// bound that is broken.
  CheckResult between(double value, std::optional<double> low, std::optional<double> high) const {
    if (!high) return at_least(value, *low);
    if (!low) return at_most(value, *high);
    const CheckResult above = at_least(value, *low);
    return above.passed ? at_most(value, *high) : above;
  }

 private:
  CheckResult compare(double value, double bound, bool is_least) const {
    CheckResult result{name_, is_least ? value >= bound : value <= bound, value, bound, unit_};
    result.is_least = is_least;
    result.quantity = quantity_;
    return result;
  }

  std::string name_, quantity_, unit_;
};

}  // namespace nodia
