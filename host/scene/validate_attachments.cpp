#include <cmath>
#include <type_traits>
#include <utility>

#include "host/scene/keys.hpp"
#include "host/scene/rules.hpp"
#include "host/scene/validate.hpp"
#include "kernels/core/error.hpp"

namespace nodia {
namespace {

/// Checks that either a robot's link or a path is given.
void validate_attachment_frame(const std::string& path,
                               const AttachmentFrameDescription& attachment_frame,
                               const Scene& scene) {
  attachment_frame.path.validate(path + ".path");
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

void validate_release(const std::string& path, const AttachmentFrameDescription& attachment_frame) {
  require(std::isfinite(attachment_frame.release_time_s), path + ".release_time_s",
          attachment_frame.release_time_s, "finite", "a negative one is never");
}

}  // namespace

void validate(const MountDescription& mount, const Scene& scene) {
  const std::string path = "mounts." + mount.name;
  std::vector<std::string> known;
  visit_objects(scene,
                [&]<class Object>(ObjectKind, const char*, const std::vector<Object>& objects) {
                  if constexpr (RigidKind<Object> || std::is_same_v<Object, CableDescription>)
                    for (const Object& object : objects) known.push_back(object.name);
                });
  require_known(path + ".body", mount.body, known, "the name of a cable or a rigid body");
  const bool cable = index_of(scene.cables, mount.body) >= 0;
  if (cable != (mount.at != MountPoint::body))
    throw_bad_value(path + ".at", name_of(mount.at), cable ? "rear or front" : "body",
                    cable ? "a cable is held at an end" : "rear and front are ends of a cable");
  require_finite(path + ".point_m", mount.point_m, "in metres");
  validate_attachment_frame(path, mount, scene);
  MountDescription m = mount;
  KeyCheck check(path);
  visit_springs(check, m.stiffness_N_m, m.stiffness_Nm_rad, m.stiffness_links, m.damping_s);
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
  validate_attachment_frame(path, attachment, scene);
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
