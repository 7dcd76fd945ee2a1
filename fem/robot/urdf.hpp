/// Robots from URDF files.
///
/// The reader reads links with inertia and collision geometries (box, sphere, cylinder, capsule,
/// mesh), and joints of every type (fixed, revolute, continuous, prismatic, planar, floating) with
/// origin, axis, limits, damping and mimic. It ignores visuals, materials, transmissions and other
/// extensions. It ignores joint friction, safety controllers, calibration and the mimic of a fixed
/// joint with a warning in RobotDescription::warnings.
///
/// A cylinder whose collision's name begins with "capsule" is a capsule: it has a hemisphere on
/// either end in addition to its length.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "fem/robot/robot_description.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

enum class UrdfMeshes {
  keep,   ///< the files of collision meshes must exist (mesh_files.hpp)
  ignore  ///< collision meshes are left out, with a warning each
};

enum class RobotRepair : std::uint8_t {
  automatic,  ///< repair_robot.hpp
  none        ///< links that could be repaired are errors
};

constexpr auto words_of(RobotRepair) {
  return std::array{Word{RobotRepair::automatic, "auto"}, Word{RobotRepair::none, "none"}};
}

struct UrdfOptions {
  UrdfMeshes meshes = UrdfMeshes::keep;
  RobotRepair repair = RobotRepair::automatic;
};

/// @throws InputError with the file, the line, the link or joint, and the rule, for everything
/// unusable
RobotDescription read_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from text.
/// @param name    of the text in messages
/// @param folder  that mesh paths are relative to
RobotDescription parse_urdf(const std::string& text, const std::string& name,
                            const std::string& folder, const UrdfOptions& options = {});

}  // namespace nodia
