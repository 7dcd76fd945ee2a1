#include "scenarios/build/mount.hpp"

#include <fmt/format.h>

namespace nodia {

MountDescription mount_of(const YamlNode& root, const MountEntry& entry, const TimeOptions& time,
                          Vec3d origin, SceneFiles* files) {
  const std::string path = fmt::format("mounts.{}", entry.name);
  MountDescription mount;
  mount.name = entry.name;
  mount.body = entry.body;
  mount.at = entry.at;
  mount.point_m = entry.point_m - origin;
  static_cast<AttachmentFrameDescription&>(mount) =
      attachment_frame_of(root, path, entry.attachment_frame, time, files);
  mount.keeps_place = !entry.attachment_frame.track;
  mount.moment = entry.moment;
  mount.stiffness_N_m = entry.stiffness_N_m;
  mount.stiffness_Nm_rad = entry.stiffness_Nm_rad;
  mount.stiffness_links = entry.stiffness_links;
  mount.damping_s = entry.damping_s;
  mount.breaks_at_N = entry.breaks_at_N;
  return mount;
}

}  // namespace nodia
