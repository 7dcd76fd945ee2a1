/// Nodes that checks name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Nodes of a set of a soft body, as indices in State::x. An empty `node_set` means all nodes of
/// the body.
/// @param path    dotted path of the check
/// @param prefix  prefix of the keys `body` and `node_set`: empty or `to_`
/// @throws InputError if the scene has no such body or set
std::vector<std::size_t> nodes_of(const std::string& path, const std::string& prefix,
                                  const Scene& scene, const std::string& body,
                                  const std::string& node_set);

/// Checks that the scene has the body and the set. @throws ValueError
void require_nodes(const std::string& path, const std::string& prefix, const Scene& scene,
                   const std::string& body, const std::string& node_set);

}  // namespace nodia
