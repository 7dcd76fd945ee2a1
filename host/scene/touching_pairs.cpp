#include "host/scene/touching_pairs.hpp"

#include <algorithm>

namespace nodia {
namespace {

/// True if a link holds an object by a mount or an attachment.
bool holds(const Scene& scene, const std::string& robot, const std::string& link,
           const std::string& object) {
  const auto is_attached_to = [&](const auto& attachment_frame) {
    return attachment_frame.robot == robot && attachment_frame.link == link &&
           attachment_frame.body == object;
  };
  return std::any_of(scene.mounts.begin(), scene.mounts.end(), is_attached_to) ||
         std::any_of(scene.attachments.begin(), scene.attachments.end(), is_attached_to);
}

bool has_free_shape(const Scene& scene, const RobotSceneDescription& robot,
                    const std::string& other) {
  return robot.collides && std::any_of(robot.robot.links.begin(), robot.robot.links.end(),
                                       [&](const RobotLink& link) {
                                         return !link.collisions.empty() &&
                                                !holds(scene, robot.name, link.name, other);
                                       });
}

}  // namespace

std::vector<std::pair<std::int32_t, std::int32_t>> touching_pairs(const Scene& scene) {
  const Objects objects(scene);
  const auto is_obstacle = [&](std::int32_t a) {
    return objects[a].id.kind == ObjectKind::obstacle;
  };
  /// True if `a`, if it is a robot, has a link that may collide with `b`.
  const auto reaches = [&](std::int32_t a, std::int32_t b) {
    const ObjectId& id = objects[a].id;
    return id.kind != ObjectKind::robot ||
           has_free_shape(scene, scene.robots[static_cast<std::size_t>(id.index)], objects.name(b));
  };
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::int32_t a = 0; a < objects.size(); ++a) {
    if (objects[a].self_contact) pairs.emplace_back(a, a);
    for (std::int32_t b = a + 1; b < objects.size(); ++b)
      if (!(is_obstacle(a) && is_obstacle(b)) && reaches(a, b) && reaches(b, a))
        pairs.emplace_back(a, b);
  }
  return pairs;
}

}  // namespace nodia
