#include "scenarios/build/attachment_frame.hpp"

#include "scenarios/build/located_errors.hpp"

namespace nodia {

void complete_attachment_frame(const YamlNode& root, const std::string& path,
                               AttachmentFrameEntry* attachment_frame) {
  const auto refuse_key = [&](const char* key, const char* other) {
    refuse_beside(root, path, key, other);
  };
  const bool turned = attachment_frame->orientation_wxyz.x != 0 ||
                      attachment_frame->orientation_wxyz.y != 0 ||
                      attachment_frame->orientation_wxyz.z != 0;
  const bool placed = squared_norm(attachment_frame->position_m) != 0;
  const auto refuse_frame_beside = [&](const char* key) {
    if (attachment_frame->track) refuse_key("track", key);
    if (placed) refuse_key("position_m", key);
    if (turned) refuse_key("orientation_wxyz", key);
  };
  if (!attachment_frame->robot.empty()) refuse_frame_beside("robot");
  if (!attachment_frame->to.empty()) refuse_frame_beside("to");
  if (attachment_frame->track) {
    if (!attachment_frame->path.empty()) refuse_key("path", "track");
    if (placed) refuse_key("position_m", "track");
  }
  complete_keys(attachment_frame->position_m, attachment_frame->orientation_wxyz,
                &attachment_frame->path);
}

AttachmentFrameDescription attachment_frame_of(const YamlNode& root, const std::string& path,
                                               const AttachmentFrameEntry& entry,
                                               const TimeOptions& time, SceneFiles* files) {
  AttachmentFrameDescription attachment_frame;
  attachment_frame.robot = entry.robot;
  attachment_frame.link = entry.link;
  attachment_frame.to = entry.to;
  if (entry.track)
    attachment_frame.path =
        path_of_track(root, path, *entry.track, entry.orientation_wxyz, time, files);
  else if (attachment_frame.is_along_path() || !entry.path.empty())
    attachment_frame.path =
        path_of(entry.position_m, entry.orientation_wxyz, entry.path, entry.ease);
  if (entry.release_time_s) attachment_frame.release_time_s = *entry.release_time_s;
  return attachment_frame;
}

}  // namespace nodia
