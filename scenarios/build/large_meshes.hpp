/// Meshes that look as if they were written in millimetres.
#pragma once

#include <string>
#include <vector>

#include "host/scene/scene.hpp"

namespace nodia {

/// A mesh from a file that is out of all proportion: longer than 10 m, and ten times as long as
/// everything whose size is given otherwise. An obstacle's, which may be a landscape, is larger
/// than 10 m along each axis.
struct LargeMesh {
  std::string path;  ///< of its object, `bodies.egg`
  double length_m = 0;
  const RobotLink* link = nullptr;           ///< of a robot's mesh, in the scene
  const LinkCollision* collision = nullptr;  ///< likewise
};

/// @param read_bodies  names of the soft bodies whose meshes are from files; of all else the scene
/// knows
std::vector<LargeMesh> large_meshes(const Scene& scene,
                                    const std::vector<std::string>& read_bodies);

}  // namespace nodia
