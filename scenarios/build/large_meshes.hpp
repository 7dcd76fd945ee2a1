/// Finds meshes that are probably in millimetres.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// A mesh from a file that is longer than 10 m and ten times as long as every object without a mesh
/// file. The mesh of an obstacle must be larger than 10 m along each axis, because an obstacle may
/// be a landscape.
struct LargeMesh {
  std::string path;                          ///< dotted path of its object, such as `bodies.egg`
  double length_m = 0;                       ///< longest edge of its bounding box
  const RobotLink* link = nullptr;           ///< link of the mesh; null if it is not a robot's
  const LinkCollision* collision = nullptr;  ///< collision shape of the mesh; null likewise
};

/// Large meshes of a scene.
/// @param read_bodies  names of the soft bodies whose meshes come from files. The scene itself
/// shows
///                     this for all other objects
std::vector<LargeMesh> large_meshes(const Scene& scene,
                                    const std::vector<std::string>& read_bodies);

}  // namespace nodia
