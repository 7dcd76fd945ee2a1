/// Reads the collision meshes of a robot file, each once.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include "fem/mesh/triangle_mesh.hpp"
#include "fem/robot/urdf.hpp"

namespace nodia {

struct CollisionMesh {
  std::shared_ptr<const TriangleMesh> mesh;  ///< scaled, closed, normals outward
  std::string repair;                        ///< a clause of repair_surface(), or empty
};

class CollisionMeshes {
 public:
  explicit CollisionMeshes(const UrdfOptions& options) : options_(options) {}

  /// @param scale  finite, not zero; a negative product mirrors the mesh
  /// @param where  names the link in errors
  /// @throws InputError for a file that cannot be read, for a mesh without volume, and, if nothing
  /// is repaired, for a mesh that is not closed
  const CollisionMesh& read(const std::string& path, Vec3d scale, const std::string& where);

  /// "FILE has the up axis Y_UP" for a COLLADA file that was read with another up axis than z and
  /// not turned; empty if there is none.
  const std::string& not_z_up() const { return not_z_up_; }

 private:
  const UrdfOptions& options_;
  std::map<std::tuple<std::string, double, double, double>, CollisionMesh> meshes_;
  std::string not_z_up_;
};

}  // namespace nodia
