/// Mounts of a scenario.
#pragma once

#include <optional>
#include <string>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/attachment_frame.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct MountEntry {
  std::string name;
  std::string body;
  MountPoint at = MountDescription{}.at;
  Vec3d point_m{};
  AttachmentFrameEntry attachment_frame;
  bool moment = MountDescription{}.moment;
  std::optional<double> stiffness_N_m, stiffness_Nm_rad;
  double stiffness_links = MountDescription{}.stiffness_links;
  double damping_s = MountDescription{}.damping_s;
  std::optional<double> breaks_at_N;
};

inline void visit_keys(DocumentVisitor& v, MountEntry& m) {
  v.text({"body", "name of a cable or a rigid body", "", true}, m.body);
  v.choice({"at", "rear or front end of a cable, body: a point of a rigid body"}, m.at,
           choices_of<MountPoint>());
  v.vector({"point_m", "of a rigid body, in the frame that position_m places [m]"}, m.point_m,
           Range::any());
  visit_keys(v, m.attachment_frame);
  v.boolean({"moment", "false: a ball joint"}, m.moment);
  visit_springs(v, m.stiffness_N_m, m.stiffness_Nm_rad, m.stiffness_links, m.damping_s,
                m.breaks_at_N);
  visit_release(v, m.attachment_frame);
}

/// Converts an entry of `mounts` to the scene's description.
/// @param root    tree that the entry was read from, for messages
/// @param origin  origin of the rigid body's frame in the scene, in its frame in the scenario file
///                [m]; zero for other bodies
/// @param files   in and out: files that were read before
/// @throws InputError if the track cannot be read
MountDescription mount_of(const YamlNode& root, const MountEntry& entry, const TimeOptions& time,
                          Vec3d origin, SceneFiles* files);

}  // namespace nodia
