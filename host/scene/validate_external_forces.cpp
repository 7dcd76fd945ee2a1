#include <fmt/format.h>

#include "host/scene/keys.hpp"
#include "host/scene/rules.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"
#include "kernels/core/nearest_name.hpp"

namespace nodia {
namespace {

/// True if a joint that is not fixed lies between the link and the root.
bool moves(const RobotDescription& robot, int link) {
  for (; link > 0; link = robot.links[static_cast<std::size_t>(link)].parent)
    if (robot.links[static_cast<std::size_t>(link)].joint.kind != JointKind::fixed) return true;
  return false;
}

void validate_link(const std::string& path, const std::string& link,
                   const RobotDescription& robot) {
  std::vector<std::string> moving;
  for (std::size_t l = 0; l < robot.links.size(); ++l)
    if (moves(robot, static_cast<int>(l))) moving.push_back(robot.links[l].name);
  if (link.empty())
    throw_bad_value(path, "nothing", "a link of the robot",
                    moving.empty() ? "no link moves" : fmt::format("try {}", moving.front()));
  require_known(path, link, link_names(robot), "a link of the robot");
  if (!moves(robot, robot.find_link(link)))
    throw_bad_value(path, link, "a link that a joint moves", "the robot's base holds it");
}

}  // namespace

void validate(const ExternalForceDescription& external_force, const Scene& scene) {
  const std::string path = "pushes." + external_force.name;
  if (index_of(scene.obstacles, external_force.body) >= 0)
    throw_bad_value(path + ".body", external_force.body, "the name of a body",
                    "an obstacle goes along its path whatever pushes it");
  std::vector<std::string> bodies;
  visit_objects(scene, [&](ObjectKind kind, const char*, const auto& objects) {
    if (kind == ObjectKind::obstacle) return;
    for (const auto& object : objects) bodies.push_back(object.name);
  });
  require_known(path + ".body", external_force.body, bodies, "the name of a body");
  const int robot = index_of(scene.robots, external_force.body);
  if (robot >= 0)
    validate_link(path + ".link", external_force.link,
                  scene.robots[static_cast<std::size_t>(robot)].robot);
  else if (!external_force.link.empty())
    throw_bad_value(path + ".link", external_force.link, "left out where the body is no robot", "");
  require_finite(path + ".force_N", external_force.force_N, "in newtons");
  KeyCheck check(path);
  double from_s = external_force.from_s, duration_s = external_force.duration_s;
  visit_span(check, from_s, duration_s);
}

}  // namespace nodia
