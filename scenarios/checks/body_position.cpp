#include "scenarios/checks/body_position.hpp"

#include <algorithm>

#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/moment_evaluator.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

std::vector<std::string> names_with_frames(const Scene& scene) {
  std::vector<std::string> names;
  const Objects objects(scene);
  for (const SceneObject& object : objects.all())
    if (is_counted(object.id) && object.id.kind != ObjectKind::soft_body)
      names.push_back(object.surface.name);
  return names;
}

class BodyPositionEvaluator final : public MomentEvaluator {
 public:
  BodyPositionEvaluator(const std::string& name, const Scene& scene, const BodyPosition& check)
      : MomentEvaluator(name, coordinate_in_words(check), "m", scene, check.at_s),
        check_(check),
        body_(Objects(scene).find(check.body)) {
    const std::vector<std::string> known = names_with_frames(scene);
    if (std::find(known.begin(), known.end(), check.body) == known.end())
      throw_bad_value("checks." + name + ".body", check.body, "the name of a rigid body or a cable",
                      "");
    const int cable = index_of(scene.cables, check.body);
    if (cable < 0) return;
    const auto links = link_masses(scene.cables[static_cast<std::size_t>(cable)]);
    half_first_m_ = links.front().first / 2;
    half_last_m_ = links.back().first / 2;
  }

 private:
  double value(const StepView& view) const override {
    std::vector<double> values;
    for (const Vec3d place : places(view)) values.push_back(place[static_cast<int>(check_.axis)]);
    return statistic_of(values, check_.of);
  }
  CheckResult evaluated(double value) const override {
    return between(value, check_.above_m, check_.below_m);
  }
  std::vector<Vec3d> places(const StepView& view) const {
    const auto& frames = view.state().frames;
    const BodyRange& range = view.layout[body_];
    const auto first = static_cast<std::size_t>(range.first),
               end = static_cast<std::size_t>(range.end());
    if (check_.at == MountPoint::rear) return {frames[first].to_world({0, 0, -half_first_m_})};
    if (check_.at == MountPoint::front) return {frames[end - 1].to_world({0, 0, half_last_m_})};
    std::vector<Vec3d> places;
    for (std::size_t f = first; f < end; ++f) places.push_back(frames[f].position);
    return places;
  }

  BodyPosition check_;
  std::int32_t body_;                          ///< number of the body (Objects)
  double half_first_m_ = 0, half_last_m_ = 0;  ///< half lengths of the outer links of a cable
};

}  // namespace

void validate(const BodyPosition& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body, names_with_frames(scene),
                "the name of a rigid body or a cable");
  if (check.at != MountPoint::body && index_of(scene.cables, check.body) < 0)
    throw_bad_value(path + ".at", name_of(check.at), "body for a rigid body", "");
  require_either(path, check.above_m.has_value() || check.below_m.has_value(),
                 "above_m or below_m");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const BodyPosition& check) {
  return std::make_unique<BodyPositionEvaluator>(name, scene, check);
}

}  // namespace nodia
