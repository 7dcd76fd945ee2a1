#include "scenarios/checks/sensor.hpp"

#include <algorithm>
#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {

std::size_t sensor_of(const std::string& check, const Scene& scene, const std::string& sensor) {
  const std::vector<std::string> names = sensor_names(scene);
  const auto found = std::find(names.begin(), names.end(), sensor);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  throw_bad_value("checks." + check + ".sensor", sensor,
                  "the name of a mount, an attachment or a force sensor", "");
}

std::vector<std::size_t> external_supports(const Scene& scene) {
  std::vector<std::size_t> supports;
  std::size_t sensor = 0;
  const auto add = [&](const auto& all) {
    for (const auto& one : all) {
      if (one.to.empty()) supports.push_back(sensor);
      ++sensor;
    }
  };
  add(scene.mounts);
  add(scene.attachments);
  return supports;
}

Vec3d force_of(const StepView& view, std::size_t sensor) {
  const std::vector<Wrench>& sensors = view.record.sensors;
  constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
  return sensor < sensors.size() ? sensors[sensor].force_N : Vec3d{kNone, kNone, kNone};
}

}  // namespace nodia
