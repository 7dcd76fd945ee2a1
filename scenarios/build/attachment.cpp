#include "scenarios/build/attachment.hpp"

#include <fmt/format.h>

namespace nodia {

AttachmentDescription attachment_of(const YamlNode& root, const AttachmentEntry& entry,
                                    const TimeOptions& time, SceneFiles* files) {
  const std::string path = fmt::format("attachments.{}", entry.name);
  AttachmentDescription attachment;
  attachment.name = entry.name;
  attachment.body = entry.body;
  attachment.node_set = entry.node_set;
  attachment.stiffness_N_m = entry.stiffness_N_m;
  static_cast<AttachmentFrameDescription&>(attachment) =
      attachment_frame_of(root, path, entry.attachment_frame, time, files);
  return attachment;
}

}  // namespace nodia
