#include "scenarios/checks/node_distance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/core/value_error.hpp"
#include "scenarios/checks/moment_evaluator.hpp"
#include "scenarios/checks/node_sets.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

const std::string& other_body(const NodeDistance& check) {
  return check.to_body.empty() ? check.body : check.to_body;
}

class DistanceEvaluator final : public MomentEvaluator {
 public:
  DistanceEvaluator(const std::string& name, const Scene& scene, const NodeDistance& check)
      : MomentEvaluator(name, fmt::format("{} distance", name_of(check.of)), "m", scene,
                        check.at_s),
        check_(check),
        from_(nodes_of("checks." + name, "", scene, check.body, check.node_set)),
        to_(nodes_of("checks." + name, "to_", scene, other_body(check), check.to_node_set)) {}

 private:
  double value(const StepView& view) const override {
    std::vector<double> values;
    for (const std::size_t node : from_) values.push_back(nearest_m(view.state().x, node));
    return statistic_of(values, check_.of);
  }
  /// Distance of a node to the nearest node of the second set [m]. NaN if a position is NaN.
  double nearest_m(const std::vector<Vec3d>& x, std::size_t node) const {
    double squared = std::numeric_limits<double>::infinity();
    for (const std::size_t other : to_) {
      const double s = squared_norm(x[other] - x[node]);
      if (std::isnan(s)) return s;
      squared = std::min(squared, s);
    }
    return std::sqrt(squared);
  }
  CheckResult evaluated(double value) const override {
    return between(value, check_.above_m, check_.below_m);
  }

  NodeDistance check_;
  std::vector<std::size_t> from_, to_;
};

}  // namespace

void validate(const NodeDistance& check, const std::string& path, const Scene& scene) {
  require_nodes(path, "", scene, check.body, check.node_set);
  require_nodes(path, "to_", scene, other_body(check), check.to_node_set);
  const bool all = check.to_node_set.empty();  // includes node_set
  if (other_body(check) == check.body && (all || check.to_node_set == check.node_set))
    throw ValueError(path + ".to_node_set",
                     path +
                         ".to_node_set (must name other nodes than node_set; their distance to "
                         "themselves is 0)");
  require_either(path, check.above_m.has_value() || check.below_m.has_value(),
                 "above_m or below_m");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const NodeDistance& check) {
  return std::make_unique<DistanceEvaluator>(name, scene, check);
}

}  // namespace nodia
