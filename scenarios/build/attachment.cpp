#include "scenarios/build/attachment.hpp"

#include <fmt/format.h>

namespace nodia {
namespace {

std::vector<std::string> node_set_names(const TetMesh& mesh) {
  std::vector<std::string> names;
  for (const auto& [name, nodes] : mesh.node_sets) names.push_back(name);
  return names;
}

}  // namespace

void require_node_set(const YamlNode& root, const std::string& path, const Scene& scene,
                      const std::string& body, const std::string& node_set) {
  for (const SoftBodyDescription& candidate : scene.soft_bodies) {
    if (candidate.name != body) continue;
    require_known(root, path, node_set, node_set_names(candidate.mesh),
                  "a node set of the body's mesh");
  }
}

AttachmentDescription attachment_of(const YamlNode& root, const AttachmentEntry& entry,
                                    const Scene& scene, SceneFiles* files) {
  require_node_set(root, fmt::format("attachments.{}.node_set", entry.name), scene, entry.body,
                   entry.node_set);
  const std::string path = fmt::format("attachments.{}", entry.name);
  require_link(root, path + ".link", scene, entry.holder);
  AttachmentDescription attachment;
  attachment.name = entry.name;
  attachment.body = entry.body;
  attachment.node_set = entry.node_set;
  attachment.stiffness_N_m = entry.stiffness_N_m;
  attachment.robot = entry.holder.robot;
  attachment.link = entry.holder.link;
  attachment.path = path_of(root, path, entry.holder, scene.time, files);
  attachment.release_time_s = entry.release_time_s.value_or(AttachmentDescription{}.release_time_s);
  return attachment;
}

}  // namespace nodia
