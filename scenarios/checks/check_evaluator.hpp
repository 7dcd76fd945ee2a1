/// One check at work: it watches every step of one environment and evaluates it.
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
  /// @param quantity  what is compared, in words: "largest penetration"
  /// @param unit      of the compared values; empty for numbers
  CheckEvaluator(std::string name, std::string quantity, std::string unit)
      : name_(std::move(name)), quantity_(std::move(quantity)), unit_(std::move(unit)) {}
  virtual ~CheckEvaluator() = default;

  virtual void observe(const StepView& view) = 0;
  virtual bool reached() const = 0;
  /// Why nothing was compared although the time has come; empty where something was.
  virtual std::string nothing_compared() const { return ""; }
  /// To be asked for where something was compared.
  virtual CheckResult result() const = 0;
  /// Where there is more than one.
  virtual std::vector<CheckResult> results() const { return {result()}; }
  /// What it has gathered, so that another one can go on in its place.
  virtual void archive(Archive& a) = 0;
  const std::string& name() const { return name_; }

 protected:
  /// Good where value <= bound; a NaN is not.
  CheckResult at_most(double value, double bound) const { return compare(value, bound, false); }
  CheckResult at_least(double value, double bound) const { return compare(value, bound, true); }
  /// Good where |measured - expected| <= tolerance; the value of the result is this distance.
  CheckResult near(double measured, double expected, double tolerance) const {
    CheckResult result = at_most(std::fabs(measured - expected), tolerance);
    result.expectation = Expectation{measured, expected, tolerance, unit_};
    return result;
  }
  /// At least one of the bounds is there; the result's is the one that is broken.
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
