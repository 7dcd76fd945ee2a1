#include "scenarios/checks/body_position.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/cable_frames.hpp"
#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class BodyPositionJudge : public Judge {
 public:
  BodyPositionJudge(const std::string& name, const Scene& scene, const BodyPosition& check)
      : Judge(name, "m"),
        check_(check),
        rigid_(index_of(scene.rigid_bodies, check.body)),
        cable_(index_of(scene.cables, check.body)),
        due_s_(check.at_s.value_or(scene.time.duration_s) - scene.time.step_s / 2) {
    if (rigid_ < 0 && cable_ < 0)
      throw_bad_value("checks." + name + ".body", check.body, "the name of a rigid body or a cable",
                      "");
    if (cable_ < 0) return;
    const auto links = link_masses(scene.cables[static_cast<std::size_t>(cable_)]);
    half_first_m_ = links.front().first / 2;
    half_last_m_ = links.back().first / 2;
  }

  void observe(const StepView& view) override {
    if (reached_ || view.record.time_s < due_s_) return;
    reached_ = true;
    std::vector<double> values;
    for (const Vec3d place : places(view)) values.push_back(place[static_cast<int>(check_.axis)]);
    value_ = statistic_of(values, check_.of);
  }
  bool reached() const override { return reached_; }
  CheckResult result() const override { return between(value_, check_.above_m, check_.below_m); }

 private:
  std::vector<Vec3d> places(const StepView& view) const {
    const auto& frames = view.state.frames;
    if (cable_ < 0) return {frames[static_cast<std::size_t>(rigid_)].position};
    const FrameRange range = cable_frames(view.layout, cable_);
    if (check_.at == MountPoint::rear)
      return {frames[range.first].to_world({0, 0, -half_first_m_})};
    if (check_.at == MountPoint::front)
      return {frames[range.last - 1].to_world({0, 0, half_last_m_})};
    std::vector<Vec3d> places;
    for (std::size_t f = range.first; f < range.last; ++f) places.push_back(frames[f].position);
    return places;
  }

  BodyPosition check_;
  int rigid_, cable_;
  double due_s_;
  double half_first_m_ = 0, half_last_m_ = 0;
  double value_ = 0;
  bool reached_ = false;
};

}  // namespace

void validate(const BodyPosition& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body, names_in(scene.rigid_bodies, scene.cables),
                "the name of a rigid body or a cable");
  if (check.at != MountPoint::body && index_of(scene.cables, check.body) < 0)
    throw_bad_value(path + ".at", name_of(check.at), "body for a rigid body", "");
  require_either(path, check.above_m.has_value() || check.below_m.has_value(),
                 "above_m or below_m");
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene,
                                  const BodyPosition& check) {
  return std::make_unique<BodyPositionJudge>(name, scene, check);
}

}  // namespace nodia
