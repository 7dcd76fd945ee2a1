#include "scenarios/checks/drift.hpp"

#include "kernels/core/error.hpp"
#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/mean_position.hpp"
#include "scenarios/checks/rules.hpp"

namespace nodia {
namespace {

class DriftEvaluator : public CheckEvaluator {
 public:
  DriftEvaluator(const std::string& name, const Scene& scene, const Drift& check)
      : CheckEvaluator(name, "drift", "m/s"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        body_(Objects(scene).find(check.body)),
        bound_(check.bound_m_s) {
    if (body_ < 0 || !is_counted(Objects(scene)[body_].id))
      throw_bad_value("checks." + name + ".body", check.body,
                      "the name of a soft body, a rigid body or a cable", "");
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    last_ = mean_position(view.state(), view.layout[body_]);
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
  void archive(Archive& a) override {
    a("window", window_);
    a("first", first_);
    a("last", last_);
    a("first_s", first_s_);
    a("last_s", last_s_);
    a("n_step", n_step_);
  }

 private:
  Window window_;
  std::int32_t body_;  ///< number of the body (Objects)
  double bound_;
  Vec3d first_{}, last_{};
  double first_s_ = 0, last_s_ = 0;
  int n_step_ = 0;
};

}  // namespace

void validate(const Drift& check, const std::string& path, const Scene& scene) {
  require_known(path + ".body", check.body, counted_names(scene),
                "the name of a soft body, a rigid body or a cable");
  require_window(path, scene, check.from_s, check.to_s);
  if (check.to_s - check.from_s < 2 * scene.time.step_s)
    throw_bad_value(path + ".to_s", check.to_s, "at least two steps behind from_s", "");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const Drift& check) {
  return std::make_unique<DriftEvaluator>(name, scene, check);
}

}  // namespace nodia
