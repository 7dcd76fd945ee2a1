#include "scenarios/checks/check.hpp"

#include <cmath>
#include <limits>

namespace nodia {

void validate(const CheckOptions& checks, const Scene& scene) {
  for (const CheckDescription& check : checks) {
    const auto hold = [&](const auto& kind) {
      if constexpr (requires { validate(kind, check.name, scene); })
        validate(kind, "checks." + check.name, scene);
    };
    std::visit(hold, check.kind);
  }
}

ScenarioChecks::ScenarioChecks(const Scene& scene, const CheckOptions& checks) {
  for (const CheckDescription& check : checks) {
    evaluators_.push_back(std::visit(
        [&](const auto& kind) { return make_evaluator(check.name, scene, kind); }, check.kind));
  }
}

ScenarioChecks::~ScenarioChecks() = default;

void ScenarioChecks::observe(const StepView& view) {
  for (const auto& evaluator : evaluators_) evaluator->observe(view);
}

void ScenarioChecks::archive(Archive& a) {
  for (const auto& evaluator : evaluators_) a(evaluator->name(), *evaluator);
}

std::vector<CheckResult> ScenarioChecks::results() const {
  std::vector<CheckResult> results;
  for (const auto& evaluator : evaluators_) {
    if (!evaluator->reached()) continue;
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    if (const std::string nothing = evaluator->nothing_compared(); !nothing.empty()) {
      results.push_back({evaluator->name(), false, kNone, kNone, "", 0, nothing, true});
      continue;
    }
    for (CheckResult& result : evaluator->results()) {
      if (std::isnan(result.value)) result.not_compared = "its value is not a number";
      results.push_back(std::move(result));
    }
  }
  return results;
}

std::vector<std::string> ScenarioChecks::not_reached() const {
  std::vector<std::string> names;
  for (const auto& evaluator : evaluators_) {
    if (!evaluator->reached()) names.push_back(evaluator->name());
  }
  return names;
}

}  // namespace nodia
