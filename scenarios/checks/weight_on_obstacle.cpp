#include "scenarios/checks/weight_on_obstacle.hpp"

#include <cmath>

#include "kernels/core/error.hpp"
#include "scenarios/checks/masses.hpp"
#include "scenarios/checks/rules.hpp"
#include "scenarios/checks/sensor.hpp"

namespace nodia {
namespace {

class WeightEvaluator : public CheckEvaluator {
 public:
  WeightEvaluator(const std::string& name, const Scene& scene, const WeightOnObstacle& check)
      : CheckEvaluator(name, "force", ""),
        window_(check.from_s, check.to_s, scene.time.step_s),
        tolerance_(check.relative_tolerance) {
    const double gravity = norm(scene.gravity_m_s2);
    up_ = (-1 / gravity) * scene.gravity_m_s2;
    weight_N_ = gravity * total_mass(scene);
    mounts_ = external_supports(scene);
    std::erase_if(mounts_, [&](std::size_t k) { return k >= scene.mounts.size(); });
    obstacle_ = index_of(scene.obstacles, check.obstacle);
    if (obstacle_ < 0)
      throw_bad_value("checks." + name + ".obstacle", check.obstacle, "the name of an obstacle",
                      "");
  }

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    Vec3d force = view.record.attachment_force_N;
    for (const std::size_t k : mounts_)
      if (k < view.record.sensors.size()) force -= view.record.sensors[k].force_N;
    for (std::size_t m = 0; m < view.contacts().size(); ++m) {
      const Vec3d on_i = transpose_times(view.contacts()[m].R, view.lambda()[m]);
      const ContactSides& sides = view.contact_sides()[m];
      if (is_obstacle(sides.j) && is_counted(sides.i)) force += on_i;
      if (is_obstacle(sides.i) && is_counted(sides.j)) force -= on_i;
    }
    sum_N_ += dot(force, up_);
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override {
    CheckResult result = at_most(std::fabs(sum_N_ / n_step_ / weight_N_ - 1), tolerance_);
    result.expectation = Expectation{sum_N_ / n_step_, weight_N_, tolerance_ * weight_N_, "N"};
    return result;
  }
  void archive(Archive& a) override {
    a("window", window_);
    a("sum_N", sum_N_);
    a("n_step", n_step_);
  }

 private:
  bool is_obstacle(const ObjectId& id) const {
    return id.kind == ObjectKind::obstacle && id.index == obstacle_;
  }

  Window window_;
  double tolerance_;
  Vec3d up_{};
  double weight_N_ = 0, sum_N_ = 0;
  std::vector<std::size_t> mounts_;  ///< their sensors
  std::int32_t obstacle_ = 0;
  int n_step_ = 0;
};

}  // namespace

void validate(const WeightOnObstacle& check, const std::string& path, const Scene& scene) {
  require_known(path + ".obstacle", check.obstacle, names_of(scene.obstacles),
                "the name of an obstacle");
  require_window(path, scene, check.from_s, check.to_s);
  if (squared_norm(scene.gravity_m_s2) == 0)
    throw_bad_value(path + ".check", check.kName, "used with gravity_m_s2 other than zero",
                    "leave the check out");
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const WeightOnObstacle& check) {
  return std::make_unique<WeightEvaluator>(name, scene, check);
}

}  // namespace nodia
