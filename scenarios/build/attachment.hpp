/// Attachments of a scenario.
#pragma once

#include <optional>
#include <string>

#include "host/scene/scene.hpp"
#include "scenarios/build/holder.hpp"
#include "scenarios/format/visitor.hpp"

namespace nodia {

struct AttachmentEntry {
  std::string name;
  std::string body;
  std::string node_set;
  double stiffness_N_m = AttachmentDescription{}.stiffness_N_m;
  HolderEntry holder;
  std::optional<double> release_time_s;
};

template <class V>
void visit_keys(V& v, AttachmentEntry& a) {
  v.text({"body", "name of a soft body", "", true}, a.body);
  v.text({"node_set", "named nodes of its mesh that are held", "", true}, a.node_set);
  v.real({"stiffness_N_m", "per node [N/m]", "try 1000"}, a.stiffness_N_m, Range::positive());
  visit_keys(v, a.holder);
  visit_release(v, a.release_time_s);
}

void require_node_set(const YamlNode& root, const std::string& path, const Scene& scene,
                      const std::string& body, const std::string& node_set);

/// @param root   the tree the entry was read from, for messages
/// @param scene  with its bodies and robots
AttachmentDescription attachment_of(const YamlNode& root, const AttachmentEntry& entry,
                                    const Scene& scene, SceneFiles* files);

}  // namespace nodia
