/// Robots from URDF files.
///
/// Read: links with inertia and collision geometries (box, sphere, cylinder, mesh), joints of type
/// fixed, revolute, continuous and prismatic with origin, axis, limits, damping and mimic. Ignored
/// without a word: visuals, materials, transmissions and other extensions. Ignored with a warning
/// in RobotDescription::warnings: joint friction, safety controllers, calibration, mimic of a fixed
/// joint, inertia of the root link.
///
/// URDF has no capsule. A cylinder whose collision's name begins with "capsule" is one: it has a
/// hemisphere on either end in addition to its length.
#pragma once

#include <string>

#include "fem/robot/robot_description.hpp"

namespace nodia {

enum class UrdfMeshes {
  /// Their files must exist. Paths are absolute, or relative to the URDF file; package://NAME/PATH
  /// is NAME/PATH in the nearest folder above the URDF file that has it.
  keep,
  ignore  ///< collision meshes are left out, with a warning each
};

struct UrdfOptions {
  UrdfMeshes meshes = UrdfMeshes::keep;
};

/// Not thread-safe against other users of urdfdom's or console_bridge's message handler; calls of
/// this function wait for each other.
/// @throws InputError with the file, the link or joint, and the rule, for everything unusable
RobotDescription read_urdf(const std::string& path, const UrdfOptions& options = {});

/// The same from text.
/// @param name    of the text in messages
/// @param folder  that mesh paths are relative to
RobotDescription parse_urdf(const std::string& text, const std::string& name,
                            const std::string& folder, const UrdfOptions& options = {});

}  // namespace nodia
