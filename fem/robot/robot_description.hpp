/// What a robot is made of: links in a tree of joints, with inertia, collision shapes and limits.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fem/mesh/triangle_mesh.hpp"
#include "kernels/articulated/spatial.hpp"
#include "kernels/contact/shapes.hpp"
#include "kernels/core/pose.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

enum class JointKind : std::uint8_t { fixed, revolute, continuous, prismatic, planar, floating };

constexpr auto words_of(JointKind) {
  return std::array{
      Word{JointKind::fixed, "fixed"},           Word{JointKind::revolute, "revolute"},
      Word{JointKind::continuous, "continuous"}, Word{JointKind::prismatic, "prismatic"},
      Word{JointKind::planar, "planar"},         Word{JointKind::floating, "floating"}};
}

/// Joint coordinate p = multiplier p(link) + offset.
struct JointMimic {
  std::int32_t link = -1;  ///< link whose joint is followed
  double multiplier = 1;   ///< finite
  double offset = 0;       ///< [rad] or [m]
};

/// The joint that a link hangs on its parent by. Units are rad for a revolute or continuous joint,
/// m for a prismatic one. A planar joint moves along two directions normal to its axis and turns
/// about the axis; a floating joint moves and turns freely. Both are without limits. A joint that
/// mimics another has no limits, effort or velocity of its own but its position limits, which
/// narrow those of the other.
struct RobotJoint {
  std::string name;
  JointKind kind = JointKind::fixed;
  Pose origin{};        ///< of the link's frame in its parent's where the coordinate is zero
  Vec3d axis{0, 0, 1};  ///< in the link's frame, not zero; made a unit vector
  /// Position limits, lower <= upper; infinite for a continuous joint [rad] or [m].
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  double max_velocity = std::numeric_limits<double>::infinity();  ///< >= 0 [rad/s] or [m/s]
  double max_effort = std::numeric_limits<double>::infinity();    ///< >= 0 [N m] or [N]
  double damping = 0;  ///< viscous, >= 0 [N m s/rad] or [N s/m]
  std::optional<JointMimic> mimic;
};

/// A collision geometry of a link: a shape or a mesh.
struct LinkCollision {
  std::string name;
  Pose pose{};                ///< of the shape's frame in the link's
  Shape shape{};              ///< of a mesh: the distance grid that its reader makes of it
  std::string mesh_path;      ///< of a mesh's file; empty: none
  Vec3d mesh_scale{1, 1, 1};  ///< [-]
  ColladaUpAxis mesh_up_axis = ColladaUpAxis::as_written;
  /// The mesh, scaled and closed. Null if there is none, or if it was not read.
  std::shared_ptr<const TriangleMesh> mesh = nullptr;
};

struct RobotLink {
  std::string name;
  std::int32_t parent = -1;  ///< a link before this one; -1: the root, link 0, and no other
  RobotJoint joint{};        ///< to the parent; meaningless for the root
  std::optional<RigidInertia> inertia;
  std::vector<LinkCollision> collisions;
};

struct RobotDescription {
  std::string name;
  std::vector<RobotLink> links;       ///< parents first
  std::vector<std::string> warnings;  ///< what was read and is ignored, a sentence each

  /// Index of a link by its name, -1 where there is none.
  int find_link(const std::string& link_name) const;
  /// Index of the link that hangs on the joint of this name, -1 where there is none.
  int find_joint(const std::string& joint_name) const;
  /// True if two links are one body, or if one joint that moves is between their bodies. Links with
  /// fixed joints between them are one body.
  bool are_neighbours(int link, int other) const;

  /// Throws InputError `prefix: link 'x': key = value (must be rule; hint)` for the first broken
  /// rule: an ordered tree with one root, unique names, axes, limits, mimics without a circle,
  /// inertias of possible bodies (positive mass, principal moments positive, none greater than the
  /// sum of the others), and an inertia for every moving link, of its own or of a link fixed to it.
  void validate(const std::string& prefix) const;
};

}  // namespace nodia
