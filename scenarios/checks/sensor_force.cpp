#include "scenarios/checks/sensor_force.hpp"

#include "scenarios/checks/mean_force_evaluator.hpp"
#include "scenarios/checks/rules.hpp"
#include "scenarios/checks/sensor.hpp"

namespace nodia {
namespace {

class SensorEvaluator final : public MeanForceEvaluator {
 public:
  SensorEvaluator(const std::string& name, const Scene& scene, const SensorForce& check)
      : MeanForceEvaluator(name, scene, check),
        sensor_(sensor_of(name, scene, check.sensor)),
        part_(check.axis) {}

 private:
  double force_N(const StepView& view) const override {
    const Vec3d force = force_of(view, sensor_);
    return part_ == ForcePart::norm ? norm(force) : force[static_cast<int>(part_)];
  }

  std::size_t sensor_;
  ForcePart part_;
};

}  // namespace

void validate(const SensorForce& check, const std::string& path, const Scene& scene) {
  require_sensor(path, scene, check.sensor);
  require_window(path, scene, check.from_s, check.to_s);
  require_tolerance(path, check.relative_tolerance, check.tolerance_N, check.value_N);
}

std::unique_ptr<CheckEvaluator> make_evaluator(const std::string& name, const Scene& scene,
                                               const SensorForce& check) {
  return std::make_unique<SensorEvaluator>(name, scene, check);
}

}  // namespace nodia
