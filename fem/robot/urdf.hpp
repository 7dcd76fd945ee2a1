/// Robots from URDF files.
///
/// The reader reads links with inertia and collision geometries (box, sphere, cylinder, capsule,
/// mesh), and joints of every type (fixed, revolute, continuous, prismatic, planar, floating) with
/// origin, axis, limits, damping and mimic. It ignores visuals, materials, transmissions and other
/// extensions. It ignores joint friction, safety controllers, calibration and the mimic of a fixed
/// joint with a warning in RobotDescription::warnings.
///
/// Collision meshes are scaled and made closed surfaces (repair_surface.hpp), with a warning each.
///
/// A cylinder whose collision's name begins with "capsule" is a capsule: it has a hemisphere on
/// either end in addition to its length.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>

#include "fem/mesh/triangle_mesh.hpp"
#include "fem/robot/robot_description.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

enum class UrdfMeshes : std::uint8_t {
  read,      ///< collision meshes are read
  try_read,  ///< the same; a mesh that cannot be used is left unread, with a warning
  ignore     ///< collision meshes are left out, with a warning each
};

enum class RobotRepair : std::uint8_t {
  automatic,  ///< repair_robot.hpp, repair_surface.hpp
  none        ///< links and meshes that could be repaired are errors
};

constexpr auto words_of(RobotRepair) {
  return std::array{Word{RobotRepair::automatic, "auto"}, Word{RobotRepair::none, "none"}};
}

struct UrdfOptions {
  UrdfMeshes meshes = UrdfMeshes::read;
  RobotRepair repair = RobotRepair::automatic;
  ColladaUpAxis collada_up_axis = ColladaUpAxis::as_written;
  /// Folders by the names in package://NAME/PATH.
  std::map<std::string, std::string> packages = {};
};

/// @throws InputError with the file, the line, the link or joint, and the rule, for everything
/// unusable
RobotDescription read_urdf(const std::string& path, const UrdfOptions& options = {});

/// @throws InputError for a file that cannot be read
std::string text_of_urdf(const std::string& path);

/// The same from text.
/// @param name    of the text in messages
/// @param folder  that mesh paths are relative to
RobotDescription parse_urdf(const std::string& text, const std::string& name,
                            const std::string& folder, const UrdfOptions& options = {});

}  // namespace nodia
