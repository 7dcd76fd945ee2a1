#include "host/scene/scene.hpp"

#include <algorithm>

namespace nodia {

std::vector<std::string> sensor_names(const Scene& scene) {
  std::vector<std::string> names;
  for (const MountDescription& mount : scene.mounts) names.push_back(mount.name);
  for (const AttachmentDescription& attachment : scene.attachments)
    names.push_back(attachment.name);
  for (const RobotSceneDescription& robot : scene.robots)
    for (const ForceSensorDescription& sensor : robot.force_sensors) names.push_back(sensor.name);
  return names;
}

PairFriction Scene::friction_of(const SurfaceMaterial& a, const SurfaceMaterial& b) const {
  for (const PairFriction& pair : friction_pairs)
    if ((pair.body == a.name && pair.obstacle == b.name) ||
        (pair.body == b.name && pair.obstacle == a.name))
      return pair;
  const double larger = std::max(a.friction, b.friction);
  return {a.name, b.name, larger, larger, {}};
}

}  // namespace nodia
