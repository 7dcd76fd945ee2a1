#include "scenarios/build/build_scene.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "host/scene/validate.hpp"
#include "scenarios/build/located_errors.hpp"
#include "scenarios/task/policy.hpp"

namespace nodia {
namespace {

/// Makes the file of a policy absolute.
void complete_policy(const YamlNode& root, TaskDescription* task) {
  const Policy policy = parse_policy(task->policy);
  if (policy.kind == PolicyKind::script) return;
  const YamlNode& node = nearest_node(root, "task.policy");
  const auto refuse_unknown = [&](const std::string& hint) {
    refuse_value(node, "task.policy", "script, FILE.py:CLASS or the file of a log", hint);
  };
  if (policy.file.empty()) refuse_unknown("");
  const std::filesystem::path path = (node.source->directory / policy.file).lexically_normal();
  std::error_code absent;
  if (!std::filesystem::is_regular_file(path, absent))
    refuse_unknown(fmt::format("there is no file {}", path.string()));
  if (policy.kind == PolicyKind::python_class && policy.class_name.empty())
    refuse_value(node, "task.policy", "FILE.py:CLASS", "name the class behind a colon");
  task->policy = path.string();
  if (policy.kind == PolicyKind::python_class) task->policy += ":" + policy.class_name;
}

}  // namespace

void complete_document(const YamlNode& root, ScenarioDocument* document) {
  std::size_t n_body = 0;
  visit_objects(*document,
                [&](const Key&, const auto& entries, auto) { n_body += entries.size(); });
  try {
    require_bodies(n_body - document->obstacles.size());
  } catch (const ValueError& error) {
    refuse(root, error);
  }
  for (const RigidBodyEntry& body : document->rigid_bodies)
    if (body.mass_kg && body.density_kg_m3)
      refuse_beside(root, "rigid_bodies." + body.name, "density_kg_m3", "mass_kg");
  for (RobotEntry& robot : document->robots) {
    find_urdf(root, document->packages, &robot);
    for (const PoseDriveEntry& drive : robot.pose_drives)
      if (drive.track && !drive.path.empty())
        refuse_beside(root, fmt::format("robots.{}.pose_drives.{}", robot.name, drive.name), "path",
                      "track");
  }
  for (MountEntry& mount : document->mounts)
    complete_attachment_frame(root, "mounts." + mount.name, &mount.attachment_frame);
  for (ObstacleEntry& obstacle : document->obstacles)
    complete_keys(obstacle.position_m, obstacle.orientation_wxyz, &obstacle.path);
  for (AttachmentEntry& attachment : document->attachments)
    complete_attachment_frame(root, "attachments." + attachment.name, &attachment.attachment_frame);
  if (document->task) complete_policy(root, &*document->task);
  for (std::size_t k = 0; k < document->friction_pairs.size(); ++k) {
    const FrictionPairEntry& pair = document->friction_pairs[k];
    const std::string path = fmt::format("friction_pairs.{}", k);
    const bool both = pair.friction_1 && pair.friction_2;
    if (both == pair.friction.has_value() ||
        pair.friction_1.has_value() != pair.friction_2.has_value())
      refuse_value(nearest_node(root, path), path, "given friction, or friction_1 and friction_2",
                   "");
  }
}

BuiltScene build_scene(const YamlNode& root, const ScenarioDocument& document, SceneFiles* files) {
  BuiltScene built;
  Scene& scene = built.scene;
  scene.name = document.name;
  scene.gravity_m_s2 = document.gravity_m_s2;
  scene.time = document.time;
  scene.contact = document.contact;
  files->packages = document.packages;
  BuildContext context{root, document.time, files};
  visit_objects(document, [&](const Key&, const auto& entries, auto list) {
    for (const auto& entry : entries) (scene.*list).push_back(description_of(entry, &context));
  });
  for (const AttachmentEntry& entry : document.attachments)
    scene.attachments.push_back(attachment_of(root, entry, document.time, files));
  for (const MountEntry& entry : document.mounts)
    scene.mounts.push_back(
        mount_of(root, entry, document.time, context.origins[entry.body], files));
  for (const FrictionPairEntry& entry : document.friction_pairs)
    scene.friction_pairs.push_back(pair_friction_of(entry));
  scene.pushes = document.pushes;
  try {
    scene.validate();
    validate(document.checks, scene);
    if (document.task) validate(*document.task, scene);
  } catch (const ValueError& error) {
    refuse(root, error);
  }
  built.robots = std::move(context.robots);
  return built;
}

}  // namespace nodia
