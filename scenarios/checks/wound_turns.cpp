#include "scenarios/checks/wound_turns.hpp"

#include <cmath>
#include <numbers>

#include "kernels/contact/shapes.hpp"
#include "scenarios/checks/moment_evaluator.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

std::vector<std::string> names_of_round_obstacles(const Scene& scene) {
  std::vector<std::string> names;
  for (const ObstacleDescription& obstacle : scene.obstacles)
    if (obstacle.shape.kind == ShapeKind::cylinder || obstacle.shape.kind == ShapeKind::capsule)
      names.push_back(obstacle.name);
  return names;
}

class WoundTurnsEvaluator final : public MomentEvaluator {
 public:
  WoundTurnsEvaluator(const std::string& name, const Scene& scene, const WoundTurns& check)
      : MomentEvaluator(name, "wound", "turns", scene, check.at_s),
        check_(check),
        body_(Objects(scene).find(check.body)) {
    validate(check, "checks." + name, scene);
    obstacle_ = static_cast<std::size_t>(index_of(scene.obstacles, check.around));
    shape_ = scene.obstacles[obstacle_].shape;
    const auto cable = static_cast<std::size_t>(index_of(scene.cables, check.body));
    most_m_ = scene.cables[cable].radius_m + check.within_m;
  }

 private:
  double value(const StepView& view) const override {
    const Pose& frame = view.obstacle_poses[obstacle_];
    const BodyRange& range = view.layout[body_];
    double angle = 0;
    Vec3d before{};
    bool before_lies = false;
    for (std::int32_t f = range.first; f < range.end(); ++f) {
      const Vec3d p = frame.to_local(view.state().frames[static_cast<std::size_t>(f)].position);
      const double distance = signed_distance(shape_, p).distance;
      if (std::isnan(distance)) return distance;
      const bool lies = distance <= most_m_;
      if (lies && before_lies)
        angle += std::atan2(before.x * p.y - before.y * p.x, before.x * p.x + before.y * p.y);
      before = p;
      before_lies = lies;
    }
    return angle / (2 * std::numbers::pi);
  }
  CheckResult evaluated(double value) const override {
    return between(value, check_.above_turns, check_.below_turns);
  }

  WoundTurns check_;
  std::int32_t body_;  ///< number of the cable
  std::size_t obstacle_ = 0;
  Shape shape_;
  double most_m_ = 0;  ///< largest distance of a link's centre from the surface of the obstacle
};

}  // namespace

void validate(const WoundTurns& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body, names_of(scene.cables), "the name of a cable");
  require_known(path + ".around", check.around, names_of_round_obstacles(scene),
                "the name of a cylinder or a capsule");
  require_either(path, check.above_turns.has_value() || check.below_turns.has_value(),
                 "above_turns or below_turns");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const WoundTurns& check) {
  return std::make_unique<WoundTurnsEvaluator>(name, scene, check);
}

}  // namespace nodia
