#include "scenarios/checks/max_penetration.hpp"

#include "scenarios/checks/largest_evaluator.hpp"

namespace nodia {
namespace {

std::optional<double> penetration(const StepView& view) {
  return view.record.max_penetration_m;
}

}  // namespace

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene&,
                                               const MaxPenetration& check) {
  return std::make_unique<LargestEvaluator>(name, "largest penetration", "m", check.bound_m,
                                            penetration, "no step");
}

}  // namespace nodia
