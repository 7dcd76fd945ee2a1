/// Files that scenes are built from, apart from the scenario file.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "fem/mesh/solid_integrals.hpp"
#include "fem/mesh/tet_mesh.hpp"
#include "fem/robot/urdf.hpp"
#include "host/collision/distance_grid.hpp"

namespace nodia {

/// Content of files, kept such that several environments and episodes share it.
struct SceneFiles {
  struct Solid {
    std::shared_ptr<const DistanceGrid> grid;
    SolidIntegrals integrals;
  };
  std::map<std::string, std::string> mesh_notices;         ///< by path: warnings of the mesh reader
  std::map<std::string, TetMesh> meshes;                   ///< by path
  std::map<std::pair<std::string, double>, Solid> solids;  ///< by path and spacing [m]
  std::map<std::string, std::string> packages;             ///< folders of URDF packages by name
  std::map<std::tuple<std::string, UrdfMeshes, RobotRepair, ColladaUpAxis>, RobotDescription>
      robots;  ///< by path and options of the reader
  /// Distance grids of the collision meshes of links, by mesh and spacing [m]. A spacing of 0 means
  /// default_grid_spacing().
  std::map<std::pair<std::shared_ptr<const TriangleMesh>, double>,
           std::shared_ptr<const DistanceGrid>>
      grids;
  std::map<std::string, std::vector<Vec3d>> tracks;  ///< positions by path [m]
};

}  // namespace nodia
