/// Frames that attachments and mounts fasten bodies to.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"
#include "scenarios/build/path.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

/// Frame of an attachment or a mount: a link of a robot, another body, or a frame that follows
/// keyframes or a track.
struct AttachmentFrameEntry {
  std::string robot, link, to;
  Vec3d position_m{};
  Quaternion orientation_wxyz{};
  std::vector<PathEntry> path;
  PathProfile ease = Path{}.profile;
  std::optional<std::string> track;  ///< file of positions [m], one row per time step
  std::optional<double> release_time_s;
};

inline void visit_keys(DocumentVisitor& v, AttachmentFrameEntry& h) {
  v.text({"robot", "whose link holds; without robot and to: a frame along the path"}, h.robot);
  v.text({"link", "of the robot"}, h.link);
  v.text({"to", "another body that holds; of a cable the nearest link"}, h.to);
  v.vector({"position_m", "of the frame [m]"}, h.position_m, Range::any());
  v.quaternion({"orientation_wxyz", "of the frame, unit quaternion", "[1, 0, 0, 0] is no rotation"},
               h.orientation_wxyz);
  v.list({"path", "keyframes of the frame; what is held keeps its place in the first pose"},
         h.path);
  visit_ease(v, h.ease);
  v.optional({"track",
              "text file of the frame's positions instead of a path: x y z a row [m], row k (from "
              "0) at k time steps, linear between them; a mount is then at the frame's origin"},
             h.track, [&](const Key& key, std::string& file) { v.file(key, file); });
}

inline void visit_release(DocumentVisitor& v, AttachmentFrameEntry& h) {
  v.optional({"release_time_s", "free from then on; left out: never [s]", "try 1"},
             h.release_time_s,
             [&](const Key& key, double& value) { v.real(key, value, Range::not_negative()); });
}

/// Fills in the poses that keyframes leave out.
/// @throws InputError if keys contradict each other
void complete_attachment_frame(const YamlNode& root, const std::string& path,
                               AttachmentFrameEntry* attachment_frame);

/// Converts an entry to the scene's description. A robot's link or another body has none.
/// @param path   dotted path of the mount or the attachment, for messages
/// @param files  in and out: files that were read before
/// @throws InputError if the track cannot be read
AttachmentFrameDescription attachment_frame_of(const YamlNode& root, const std::string& path,
                                               const AttachmentFrameEntry& entry,
                                               const TimeOptions& time, SceneFiles* files);

}  // namespace nodia
