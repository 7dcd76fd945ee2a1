/// What the judges of checks have in common.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/loader/checks.hpp"

namespace nodia {

class ScenarioChecks::Judge {
 public:
  Judge(std::string name, std::string unit) : name_(std::move(name)), unit_(std::move(unit)) {}
  virtual ~Judge() = default;

  virtual void observe(const StepView& view) = 0;
  virtual bool reached() const = 0;
  /// Why nothing was compared although the time has come; empty where something was.
  virtual std::string nothing_compared() const { return ""; }
  /// To be asked for where something was compared.
  virtual CheckResult result() const = 0;
  /// Where there is more than one.
  virtual std::vector<CheckResult> results() const { return {result()}; }
  const std::string& name() const { return name_; }

 protected:
  /// Good where value <= bound; a NaN is not.
  CheckResult at_most(double value, double bound) const {
    return {name_, value <= bound, value, bound, unit_};
  }
  CheckResult at_least(double value, double bound) const {
    return {name_, value >= bound, value, bound, unit_};
  }
  /// At least one of the bounds is there; the result's is the one that is broken.
  CheckResult between(double value, std::optional<double> low, std::optional<double> high) const {
    if (!high) return at_least(value, *low);
    if (!low) return at_most(value, *high);
    const CheckResult above = at_least(value, *low);
    return above.passed ? at_most(value, *high) : above;
  }

 private:
  std::string name_, unit_;
};

/// @param values  at least one
/// @return NaN where one of them is
inline double statistic_of(const std::vector<double>& values, Statistic of) {
  for (const double value : values)
    if (std::isnan(value)) return value;
  if (of == Statistic::lowest) return *std::min_element(values.begin(), values.end());
  if (of == Statistic::highest) return *std::max_element(values.begin(), values.end());
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

/// Steps whose end lies in (from, to], up to rounding of the clock.
class Window {
 public:
  Window(double from_s, double to_s, double step_s)
      : from_s_(from_s + step_s / 2), to_s_(to_s + step_s / 2), last_s_(to_s - step_s / 2) {}

  /// To be asked once for every step.
  bool contains(double time_s) {
    reached_ = reached_ || time_s >= last_s_;
    const bool inside = time_s >= from_s_ && time_s <= to_s_;
    if (inside) ++n_inside_;
    return inside;
  }
  bool reached() const { return reached_; }
  /// @param least  steps that it takes to compare something
  std::string too_few_steps(int least = 1) const {
    if (n_inside_ >= least) return "";
    return least > 1 ? fmt::format("fewer than {} steps end between from_s and to_s", least)
                     : "no step ends between from_s and to_s";
  }

 private:
  double from_s_, to_s_, last_s_;
  int n_inside_ = 0;
  bool reached_ = false;
};

/// Of soft bodies, rigid bodies and cables [kg].
double total_mass(const Scene& scene);

/// Whether a surface belongs to what total_mass counts.
inline bool is_counted(const SurfaceId& id) {
  return id.kind == SurfaceId::Kind::soft_body || id.kind == SurfaceId::Kind::rigid_body ||
         id.kind == SurfaceId::Kind::cable;
}

}  // namespace nodia
