#include "scenarios/checks/node_position.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class PositionJudge : public Judge {
 public:
  PositionJudge(const std::string& name, const Scene& scene, const NodePosition& check)
      : Judge(name, "m"),
        check_(check),
        due_s_(check.at_s.value_or(scene.time.duration_s) - scene.time.step_s / 2) {
    std::size_t first = 0;
    for (const SoftBodyDescription& body : scene.soft_bodies) {
      if (body.name == check.body) collect(name, body, first);
      first += body.mesh.nodes.size();
    }
    if (nodes_.empty()) {
      throw_bad_value("checks." + name + ".body", check.body, "the name of a body with nodes", "");
    }
  }

  void observe(const StepView& view) override {
    if (reached_ || view.record.time_s < due_s_) return;
    reached_ = true;
    std::vector<double> values;
    for (const std::size_t node : nodes_)
      values.push_back(view.state.x[node][static_cast<int>(check_.axis)]);
    value_ = statistic_of(values, check_.of);
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return between(value_, check_.above_m, check_.below_m); }
  void keep(Keeper& k) override {
    k("value", value_);
    k("reached", reached_);
  }

 private:
  void collect(const std::string& name, const SoftBodyDescription& body, std::size_t first) {
    if (check_.node_set.empty()) {
      for (std::size_t k = 0; k < body.mesh.nodes.size(); ++k) nodes_.push_back(first + k);
      return;
    }
    const auto set = body.mesh.node_sets.find(check_.node_set);
    if (set == body.mesh.node_sets.end()) {
      throw_bad_value("checks." + name + ".node_set", check_.node_set,
                      "a node set of the body's mesh", "");
    }
    for (const std::int32_t node : set->second)
      nodes_.push_back(first + static_cast<std::size_t>(node));
  }

  NodePosition check_;
  double due_s_;
  std::vector<std::size_t> nodes_;
  double value_ = 0;
  bool reached_ = false;
};

}  // namespace

void validate(const NodePosition& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body, names_of(scene.soft_bodies), "the name of a body");
  require_either(path, check.above_m.has_value() || check.below_m.has_value(),
                 "above_m or below_m");
  const auto body = static_cast<std::size_t>(index_of(scene.soft_bodies, check.body));
  if (!check.node_set.empty())
    require_node_set(path + ".node_set", scene.soft_bodies[body], check.node_set);
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene,
                                  const NodePosition& check) {
  return std::make_unique<PositionJudge>(name, scene, check);
}

}  // namespace nodia
