#include "scenarios/checks/friction_in_cone.hpp"

#include <algorithm>
#include <cmath>

#include "scenarios/checks/largest_evaluator.hpp"

namespace nodia {
namespace {

/// Constant in the denominators of FrictionInCone [N].
constexpr double kForceFloor = 1e-9;

std::optional<double> cone_excess(const StepView& view) {
  if (view.contacts().empty()) return {};
  double excess = 0;
  for (std::size_t m = 0; m < view.contacts().size(); ++m) {
    const Contact<double>& contact = view.contacts()[m];
    const Vec3d force = view.lambda()[m];
    // Ellipse (lt1/mu1)^2 + (lt2/mu2)^2 <= lambda_n^2, multiplied by mu^2. If mu1 = mu2 = mu, this
    // is |lambda_t| <= mu lambda_n.
    const double mu = std::max(contact.mu1, contact.mu2);
    const double stretch_1 = contact.mu1 > 0 ? mu / contact.mu1 : 1;
    const double stretch_2 = contact.mu2 > 0 ? mu / contact.mu2 : 1;
    const double tangent = std::hypot(stretch_1 * force.y, stretch_2 * force.z);
    const double normal = std::max(force.x, 0.0);
    excess = larger_or_nan(excess, (tangent - mu * normal) / (mu * normal + kForceFloor));
    excess = larger_or_nan(excess, -force.x / (std::fabs(force.x) + kForceFloor));
  }
  return excess;
}

}  // namespace

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene&,
                                               const FrictionInCone& check) {
  return std::make_unique<LargestEvaluator>(name, "largest excess over the friction cone", "",
                                            check.tolerance, cone_excess, "no contact in any step");
}

}  // namespace nodia
