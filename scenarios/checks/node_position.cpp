#include "scenarios/checks/node_position.hpp"

#include "scenarios/checks/moment_evaluator.hpp"
#include "scenarios/checks/node_sets.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class PositionEvaluator final : public MomentEvaluator {
 public:
  PositionEvaluator(const std::string& name, const Scene& scene, const NodePosition& check)
      : MomentEvaluator(name, coordinate_in_words(check), "m", scene, check.at_s),
        check_(check),
        nodes_(nodes_of("checks." + name, "", scene, check.body, check.node_set)) {}

 private:
  double value(const StepView& view) const override {
    std::vector<double> values;
    for (const std::size_t node : nodes_)
      values.push_back(view.state().x[node][static_cast<int>(check_.axis)]);
    return statistic_of(values, check_.of);
  }
  CheckResult evaluated(double value) const override {
    return between(value, check_.above_m, check_.below_m);
  }

  NodePosition check_;
  std::vector<std::size_t> nodes_;
};

}  // namespace

void validate(const NodePosition& check, const std::string& path, const Scene& scene) {
  require_nodes(path, "", scene, check.body, check.node_set);
  require_either(path, check.above_m.has_value() || check.below_m.has_value(),
                 "above_m or below_m");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const NodePosition& check) {
  return std::make_unique<PositionEvaluator>(name, scene, check);
}

}  // namespace nodia
