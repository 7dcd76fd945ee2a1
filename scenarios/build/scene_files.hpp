/// What scenes are made from besides the scenario file.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "fem/mesh/solid_integrals.hpp"
#include "fem/mesh/tet_mesh.hpp"
#include "fem/robot/urdf.hpp"
#include "host/collision/distance_grid.hpp"

namespace nodia {

/// What was read from files for one environment and serves the next as well.
struct SceneFiles {
  struct Solid {
    std::shared_ptr<const DistanceGrid> grid;
    SolidIntegrals integrals;
  };
  std::map<std::string, std::string>
      mesh_notices;                       ///< by path: how it was read, where it is worth a word
  std::map<std::string, TetMesh> meshes;  ///< by path
  std::map<std::pair<std::string, double>, Solid> solids;  ///< by path and spacing [m]
  std::map<std::pair<std::string, RobotRepair>, RobotDescription> robots;  ///< by path
  /// Of links, by path, scale and spacing [m]; 0: chosen.
  std::map<std::array<double, 4>, std::map<std::string, std::shared_ptr<const DistanceGrid>>> grids;
  std::map<std::string, std::vector<Vec3d>> tracks;  ///< by path [m]
};

}  // namespace nodia
