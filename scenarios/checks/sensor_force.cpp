#include "scenarios/checks/sensor_force.hpp"

#include <cmath>

#include "scenarios/checks/rules.hpp"
#include "scenarios/checks/sensor.hpp"

namespace nodia {
namespace {

class SensorJudge : public Judge {
 public:
  SensorJudge(const std::string& name, const Scene& scene, const SensorForce& check)
      : Judge(name, "N"),
        window_(check.from_s, check.to_s, scene.time.step_s),
        sensor_(sensor_of(name, scene, check.sensor)),
        part_(check.axis),
        value_N_(check.value_N),
        tolerance_N_(check.tolerance_N
                         ? *check.tolerance_N
                         : check.relative_tolerance.value_or(0) * std::fabs(check.value_N)) {}

  void observe(const StepView& view) override {
    if (!window_.contains(view.record.time_s)) return;
    const Vec3d force = force_of(view, sensor_);
    sum_N_ += part_ == ForcePart::norm ? norm(force) : force[static_cast<int>(part_)];
    ++n_step_;
  }
  bool reached() const override { return window_.reached(); }
  std::string nothing_compared() const override { return window_.too_few_steps(); }
  CheckResult result() const override {
    return at_most(std::fabs(sum_N_ / n_step_ - value_N_), tolerance_N_);
  }

 private:
  Window window_;
  std::size_t sensor_;
  ForcePart part_;
  double value_N_, tolerance_N_;
  double sum_N_ = 0;
  int n_step_ = 0;
};

}  // namespace

void validate(const SensorForce& check, const std::string& path, const Scene& scene) {
  require_sensor(path, scene, check.sensor);
  require_window(path, scene, check.from_s, check.to_s);
  require_tolerance(path, check.relative_tolerance, check.tolerance_N, check.value_N);
}

std::unique_ptr<Judge> make_judge(const std::string& name, const Scene& scene,
                                  const SensorForce& check) {
  return std::make_unique<SensorJudge>(name, scene, check);
}

}  // namespace nodia
