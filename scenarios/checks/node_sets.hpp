/// Nodes that checks name.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// Nodes of a soft body's set, of the whole body where `node_set` is empty, by their places among
/// the nodes of all bodies.
/// @param path    of the check
/// @param prefix  of its keys `body` and `node_set`
/// @throws InputError where the scene has no such body or set
std::vector<std::size_t> nodes_of(const std::string& path, const std::string& prefix,
                                  const Scene& scene, const std::string& body,
                                  const std::string& node_set);

/// The same names. @throws ValueError
void require_nodes(const std::string& path, const std::string& prefix, const Scene& scene,
                   const std::string& body, const std::string& node_set);

}  // namespace nodia
