/// Attachments of a scenario.
#pragma once

#include <string>

#include "host/scene/keys.hpp"
#include "host/scene/scene.hpp"
#include "scenarios/build/attachment_frame.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct AttachmentEntry {
  std::string name;
  std::string body;
  std::string node_set;
  double stiffness_N_m = AttachmentDescription{}.stiffness_N_m;
  AttachmentFrameEntry attachment_frame;
};

inline void visit_keys(DocumentVisitor& v, AttachmentEntry& a) {
  v.text({"body", "name of a soft body", "", true}, a.body);
  v.text({"node_set", "named nodes of its mesh that are held", "", true}, a.node_set);
  visit_node_stiffness(v, a.stiffness_N_m);
  visit_keys(v, a.attachment_frame);
  visit_release(v, a.attachment_frame);
}

/// Converts an entry of `attachments` to the scene's description.
/// @param root   tree that the entry was read from, for messages
/// @param files  in and out: files that were read before
/// @throws InputError if the track cannot be read
AttachmentDescription attachment_of(const YamlNode& root, const AttachmentEntry& entry,
                                    const TimeOptions& time, SceneFiles* files);

}  // namespace nodia
