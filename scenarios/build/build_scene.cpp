#include "scenarios/build/build_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/core/error.hpp"
#include "scenarios/build/check_rules.hpp"
#include "scenarios/build/references.hpp"

namespace nodia {
namespace {

constexpr double kMaxSteps = 1e9;

/// Force sensors have names that no other sensor has.
void require_distinct_sensors(const YamlNode& root, const ScenarioDocument& document) {
  std::vector<std::string> taken = names_in(document.mounts, document.attachments);
  for (const RobotEntry& robot : document.robots) {
    for (const ForceSensorEntry& sensor : robot.force_sensors) {
      const std::string where = fmt::format("robots.{}.force_sensors.{}", robot.name, sensor.name);
      if (std::find(taken.begin(), taken.end(), sensor.name) != taken.end())
        refuse_value(nearest_node(root, where), where,
                     "named as no other mount, attachment or force sensor", "rename one of them");
      taken.push_back(sensor.name);
    }
  }
}

}  // namespace

void complete_document(const YamlNode& root, ScenarioDocument* document) {
  const auto member = [](const char* group, const std::string& name) {
    return fmt::format("{}.{}", group, name);
  };
  if (document->bodies.empty() && document->rigid_bodies.empty() && document->cables.empty() &&
      document->robots.empty()) {
    throw InputError(fmt::format(
        "{}: bodies, rigid_bodies, cables, robots (must have at least one body in one of them)",
        root.source->label));
  }
  if (!(document->time.duration_s / document->time.step_s <= kMaxSteps)) {
    refuse_value(nearest_node(root, "time.duration_s"), "time.duration_s",
                 fmt::format("at most {} steps of {} s", kMaxSteps, document->time.step_s), "");
  }
  for (RigidBodyEntry& body : document->rigid_bodies) {
    if (!body.mass_kg || !body.density_kg_m3) continue;
    const std::string where = member("rigid_bodies", body.name) + ".density_kg_m3";
    refuse_value(nearest_node(root, where), where, "left out beside mass_kg", "");
  }
  for (RobotEntry& robot : document->robots) {
    const std::string path = member("robots", robot.name);
    for (const JointDriveEntry& drive : robot.joint_drives)
      require_ascending_keys(root, fmt::format("{}.joint_drives.{}", path, drive.name), drive.path);
    for (const PoseDriveEntry& drive : robot.pose_drives) {
      const std::string where = fmt::format("{}.pose_drives.{}", path, drive.name);
      require_ascending_keys(root, where, drive.path);
      if (drive.track && !drive.path.empty())
        refuse_value(nearest_node(root, where + ".path"), where + ".path", "left out beside track",
                     "");
    }
  }
  for (MountEntry& mount : document->mounts) {
    const std::string path = member("mounts", mount.name);
    complete_holder(root, path, document->robots, &mount.holder);
    require_known(root, path + ".body", mount.body,
                  names_in(document->cables, document->rigid_bodies),
                  "the name of a cable or a rigid body");
  }
  for (ObstacleEntry& obstacle : document->obstacles) {
    complete_path(root, member("obstacles", obstacle.name), &obstacle);
  }
  for (AttachmentEntry& attachment : document->attachments) {
    const std::string path = member("attachments", attachment.name);
    complete_holder(root, path, document->robots, &attachment.holder);
    require_known(root, path + ".body", attachment.body, names_of(document->bodies),
                  "the name of a body");
  }
  for (std::size_t k = 0; k < document->friction_pairs.size(); ++k) {
    const FrictionPairEntry& pair = document->friction_pairs[k];
    const std::string path = fmt::format("friction_pairs.{}", k);
    const auto bodies =
        names_in(document->bodies, document->rigid_bodies, document->cables, document->robots);
    require_known(root, path + ".body", pair.body, bodies, "the name of a body");
    std::vector<std::string> surfaces = names_of(document->obstacles);
    surfaces.insert(surfaces.end(), bodies.begin(), bodies.end());
    require_known(root, path + ".obstacle", pair.obstacle, surfaces, "the name of an obstacle");
    const bool both = pair.friction_1 && pair.friction_2;
    if (both == pair.friction.has_value() ||
        pair.friction_1.has_value() != pair.friction_2.has_value()) {
      refuse_value(nearest_node(root, path), path, "given friction, or friction_1 and friction_2",
                   "");
    }
    for (std::size_t j = 0; j < k; ++j) {
      const FrictionPairEntry& earlier = document->friction_pairs[j];
      if ((earlier.body == pair.body && earlier.obstacle == pair.obstacle) ||
          (earlier.body == pair.obstacle && earlier.obstacle == pair.body)) {
        refuse_value(nearest_node(root, path), path,
                     fmt::format("the only entry of {} and {}", pair.body, pair.obstacle), "");
      }
    }
  }
  require_distinct_sensors(root, *document);
  for (const CheckDescription& check : document->checks) {
    require_good_check(root, *document, check);
  }
}

Scene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files) {
  Scene scene;
  scene.name = document.name;
  scene.gravity_m_s2 = document.gravity_m_s2;
  scene.time = document.time;
  scene.contact = document.contact;
  for (const BodyEntry& entry : document.bodies)
    scene.soft_bodies.push_back(soft_body_of(root, entry, files));
  std::map<std::string, Vec3d> origins;  // of rigid bodies, in the frames they are given in
  for (const RigidBodyEntry& entry : document.rigid_bodies) {
    scene.rigid_bodies.push_back(
        named_errors(root, fmt::format("rigid_bodies.{}.shape", entry.name),
                     [&] { return rigid_body_of(entry, files, &origins[entry.name]); }));
  }
  for (const CableEntry& entry : document.cables) scene.cables.push_back(cable_of(entry));
  for (const RobotEntry& entry : document.robots)
    scene.robots.push_back(robot_of(root, entry, document.time, files));
  for (const ObstacleEntry& entry : document.obstacles)
    scene.obstacles.push_back(obstacle_of(root, entry, files));
  for (const AttachmentEntry& entry : document.attachments)
    scene.attachments.push_back(attachment_of(root, entry, scene, files));
  for (const MountEntry& entry : document.mounts)
    scene.mounts.push_back(mount_of(root, entry, scene, origins[entry.body], files));
  for (const FrictionPairEntry& entry : document.friction_pairs)
    scene.friction_pairs.push_back(pair_friction_of(entry));
  for (const CheckDescription& check : document.checks) {
    const auto* position = std::get_if<NodePosition>(&check.kind);
    if (!position || position->node_set.empty()) continue;
    require_node_set(root, fmt::format("checks.{}.node_set", check.name), scene, position->body,
                     position->node_set);
  }
  try {
    scene.validate();
  } catch (const InputError& error) {
    throw InputError(fmt::format("{}: {}", root.source->label, error.what()));
  }
  return scene;
}

}  // namespace nodia
