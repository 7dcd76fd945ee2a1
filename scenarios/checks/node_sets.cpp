#include "scenarios/checks/node_sets.hpp"

#include "scenarios/checks/rules.hpp"

namespace nodia {

std::vector<std::size_t> nodes_of(const std::string& path, const std::string& prefix,
                                  const Scene& scene, const std::string& body,
                                  const std::string& node_set) {
  std::vector<std::size_t> nodes;
  std::size_t first = 0;
  for (const SoftBodyDescription& each : scene.soft_bodies) {
    const std::size_t n = each.mesh.nodes.size();
    if (each.name == body && node_set.empty())
      for (std::size_t k = 0; k < n; ++k) nodes.push_back(first + k);
    if (each.name == body && !node_set.empty()) {
      const auto set = each.mesh.node_sets.find(node_set);
      if (set == each.mesh.node_sets.end())
        require_node_set(path + "." + prefix + "node_set", each, node_set);
      for (const std::int32_t node : set->second)
        nodes.push_back(first + static_cast<std::size_t>(node));
    }
    first += n;
  }
  if (nodes.empty())
    throw_bad_value(path + "." + prefix + "body", body, "the name of a body with nodes", "");
  return nodes;
}

void require_nodes(const std::string& path, const std::string& prefix, const Scene& scene,
                   const std::string& body, const std::string& node_set) {
  require_known(path + "." + prefix + "body", body, names_of(scene.soft_bodies),
                "the name of a body");
  if (node_set.empty()) return;
  const auto k = static_cast<std::size_t>(index_of(scene.soft_bodies, body));
  require_node_set(path + "." + prefix + "node_set", scene.soft_bodies[k], node_set);
}

}  // namespace nodia
