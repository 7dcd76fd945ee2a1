#include <fmt/format.h>

#include <cmath>
#include <type_traits>
#include <utility>

#include "host/scene/keys.hpp"
#include "host/scene/rules.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Names of the objects with frames: rigid bodies and compounds, and cables.
std::vector<std::string> names_with_frames(const Scene& scene) {
  std::vector<std::string> names;
  visit_objects(scene,
                [&]<class Object>(ObjectKind, const char*, const std::vector<Object>& objects) {
                  if constexpr (RigidKind<Object> || std::is_same_v<Object, CableDescription>)
                    for (const Object& object : objects) names.push_back(object.name);
                });
  return names;
}

/// Checks that one of a robot's link, another body and a path is given.
/// @param body    name of the held body
/// @param others  names of the bodies that can hold it
void validate_attachment_frame(const std::string& path, const std::string& body,
                               const std::vector<std::string>& others,
                               const AttachmentFrameDescription& attachment_frame,
                               const Scene& scene) {
  attachment_frame.path.validate(path + ".path");
  if (!attachment_frame.to.empty()) {
    require_known(path + ".to", attachment_frame.to, others, "the name of a body that can hold it");
    if (attachment_frame.to == body)
      throw_bad_value(path + ".to", body, "another body than the one it holds", "");
    if (!attachment_frame.robot.empty())
      throw_bad_value(path + ".robot", attachment_frame.robot, "left out beside to", "");
    if (!attachment_frame.path.keys.empty())
      throw_bad_value(path + ".path", "[...]", "left out beside to", "");
  }
  if (attachment_frame.robot.empty()) {
    if (!attachment_frame.link.empty())
      throw_bad_value(path + ".link", attachment_frame.link, "given together with robot", "");
    return;
  }
  require_known(path + ".robot", attachment_frame.robot, names_of(scene.robots),
                "the name of a robot");
  const RobotDescription& robot =
      scene.robots[static_cast<std::size_t>(index_of(scene.robots, attachment_frame.robot))].robot;
  require_known(path + ".link", attachment_frame.link, link_names(robot), "a link of the robot");
  if (!attachment_frame.path.keys.empty())
    throw_bad_value(path + ".path", "[...]", "left out beside robot", "");
}

/// Refuses a mount of an end of a cable that an earlier one never releases.
void refuse_second_mount(const std::string& path, const MountDescription& mount,
                         const Scene& scene) {
  for (const MountDescription& other : scene.mounts) {
    if (&other == &mount) return;
    if (other.body == mount.body && other.at == mount.at && other.release_time_s < 0)
      throw_bad_value(path + ".at", name_of(mount.at), "an end of a cable without another mount",
                      fmt::format("mounts.{} holds this end of '{}'", other.name, mount.body));
  }
}

void validate_release(const std::string& path, const AttachmentFrameDescription& attachment_frame) {
  require(std::isfinite(attachment_frame.release_time_s), path + ".release_time_s",
          attachment_frame.release_time_s, "finite", "a negative one is never");
}

}  // namespace

void validate(const MountDescription& mount, const Scene& scene) {
  const std::string path = "mounts." + mount.name;
  require_known(path + ".body", mount.body, names_with_frames(scene),
                "the name of a cable or a rigid body");
  const bool cable = index_of(scene.cables, mount.body) >= 0;
  if (cable != (mount.at != MountPoint::body))
    throw_bad_value(path + ".at", name_of(mount.at), cable ? "rear or front" : "body",
                    cable ? "a cable is held at an end" : "rear and front are ends of a cable");
  require_finite(path + ".point_m", mount.point_m, "in metres");
  validate_attachment_frame(path, mount.body, names_with_frames(scene), mount, scene);
  if (cable) refuse_second_mount(path, mount, scene);
  MountDescription m = mount;
  KeyCheck check(path);
  visit_springs(check, m.stiffness_N_m, m.stiffness_Nm_rad, m.stiffness_links, m.damping_s,
                m.breaks_at_N);
  const auto require_given = [&](const char* key, const std::optional<double>& value) {
    if (!value) throw_bad_value(path + "." + key, "nothing", "given for a rigid body", "try 1000");
  };
  if (!cable) require_given("stiffness_N_m", mount.stiffness_N_m);
  if (!cable && mount.moment) require_given("stiffness_Nm_rad", mount.stiffness_Nm_rad);
  validate_release(path, mount);
}

void validate(const AttachmentDescription& attachment, const Scene& scene) {
  const std::string path = "attachments." + attachment.name;
  require_known(path + ".body", attachment.body, names_of(scene.soft_bodies), "the name of a body");
  std::vector<std::string> others = names_with_frames(scene);
  for (const SoftBodyDescription& soft : scene.soft_bodies) others.push_back(soft.name);
  validate_attachment_frame(path, attachment.body, others, attachment, scene);
  const auto body = static_cast<std::size_t>(index_of(scene.soft_bodies, attachment.body));
  const auto& sets = scene.soft_bodies[body].mesh.node_sets;
  require_node_set(path + ".node_set", scene.soft_bodies[body], attachment.node_set);
  if (sets.at(attachment.node_set).empty())
    throw_bad_value(path + ".node_set", attachment.node_set, "a set with nodes", "it is empty");
  KeyCheck check(path);
  double stiffness_N_m = attachment.stiffness_N_m;
  visit_node_stiffness(check, stiffness_N_m);
  validate_release(path, attachment);
}

void require_node_set(const std::string& path, const SoftBodyDescription& body,
                      const std::string& node_set) {
  std::vector<std::string> known;
  for (const auto& [name, nodes] : body.mesh.node_sets) known.push_back(name);
  require_known(path, node_set, known, "a node set of the body's mesh");
}

}  // namespace nodia
