#include "host/scene/touching_pairs.hpp"

#include <algorithm>

namespace nodia {
namespace {

bool touches_itself(const Scene& scene, const ObjectNumbers& objects, std::int32_t a) {
  const auto local = [&](int kind) { return static_cast<std::size_t>(a - objects.first[kind]); };
  if (a < objects.first[1]) return scene.soft_bodies[local(0)].self_contact;
  if (a >= objects.first[2] && a < objects.first[3]) return scene.cables[local(2)].self_contact;
  return false;
}

/// Whether a link holds an object by a mount or an attachment.
bool holds(const Scene& scene, const std::string& robot, const std::string& link,
           const std::string& object) {
  const auto is_holder = [&](const auto& holder) {
    return holder.robot == robot && holder.link == link && holder.body == object;
  };
  return std::any_of(scene.mounts.begin(), scene.mounts.end(), is_holder) ||
         std::any_of(scene.attachments.begin(), scene.attachments.end(), is_holder);
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

ObjectNumbers::ObjectNumbers(const Scene& scene) {
  int kind = 0;
  const auto add = [&](const auto& list) {
    for (const auto& object : list) name.push_back(object.name);
    first[++kind] = static_cast<std::int32_t>(name.size());
  };
  add(scene.soft_bodies);
  add(scene.rigid_bodies);
  add(scene.cables);
  add(scene.robots);
  add(scene.obstacles);
}

std::vector<std::pair<std::int32_t, std::int32_t>> touching_pairs(const Scene& scene) {
  const ObjectNumbers objects(scene);
  const auto is_obstacle = [&](std::int32_t a) { return a >= objects.first[4]; };
  /// Whether `a`, if it is a robot, has something that can touch `b`.
  const auto reaches = [&](std::int32_t a, std::int32_t b) {
    if (a < objects.first[3] || is_obstacle(a)) return true;
    return has_free_shape(scene, scene.robots[static_cast<std::size_t>(a - objects.first[3])],
                          objects.name[static_cast<std::size_t>(b)]);
  };
  std::vector<std::pair<std::int32_t, std::int32_t>> pairs;
  for (std::int32_t a = 0; a < objects.first[4]; ++a) {  // obstacles do not touch each other
    if (touches_itself(scene, objects, a)) pairs.emplace_back(a, a);
    for (std::int32_t b = a + 1; b < objects.size(); ++b)
      if (reaches(a, b) && reaches(b, a)) pairs.emplace_back(a, b);
  }
  return pairs;
}

}  // namespace nodia
