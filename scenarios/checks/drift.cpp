#include "scenarios/checks/drift.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/cable_frames.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class DriftJudge : public Judge {
 public:
  DriftJudge(const std::string& name, const Scene& scene, const Drift& check)
      : Judge(name, "m/s"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        soft_(index_of(scene.soft_bodies, check.body)),
        rigid_(index_of(scene.rigid_bodies, check.body)),
        cable_(index_of(scene.cables, check.body)),
        bound_(check.bound_m_s) {
    if (soft_ < 0 && rigid_ < 0 && cable_ < 0)
      throw_bad_value("checks." + name + ".body", check.body,
                      "the name of a soft body, a rigid body or a cable", "");
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    last_ = centre(view);
    last_s_ = view.record.time_s;
    if (n_step_++ > 0) return;
    first_ = last_;
    first_s_ = last_s_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(2); }
  CheckResult result() const override {
    return at_most(norm(last_ - first_) / (last_s_ - first_s_), bound_);
  }

 private:
  /// Mean over nodes or links.
  Vec3d centre(const StepView& view) const {
    if (rigid_ >= 0) return view.state.frames[static_cast<std::size_t>(rigid_)].position;
    Vec3d sum{};
    if (soft_ >= 0) {
      const auto body = static_cast<std::size_t>(soft_);
      const auto begin = static_cast<std::size_t>(view.layout.soft_node[body]);
      const auto end = static_cast<std::size_t>(view.layout.soft_node[body + 1]);
      for (std::size_t k = begin; k < end; ++k) sum += view.state.x[k];
      return (1 / static_cast<double>(end - begin)) * sum;
    }
    const FrameRange range = cable_frames(view.layout, cable_);
    for (std::size_t f = range.first; f < range.last; ++f) sum += view.state.frames[f].position;
    return (1 / static_cast<double>(range.last - range.first)) * sum;
  }

  Window window_;
  int soft_, rigid_, cable_;
  double bound_;
  Vec3d first_{}, last_{};
  double first_s_ = 0, last_s_ = 0;
  int n_step_ = 0;
};

}  // namespace

void validate(const Drift& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body,
                names_in(scene.soft_bodies, scene.rigid_bodies, scene.cables),
                "the name of a soft body, a rigid body or a cable");
  require_window(path, scene, check.from_s, check.to_s);
  if (check.to_s - check.from_s < 2 * scene.time.step_s)
    throw_bad_value(path + ".to_s", check.to_s, "at least two steps behind from_s", "");
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene, const Drift& check) {
  return std::make_unique<DriftJudge>(name, scene, check);
}

}  // namespace nodia
