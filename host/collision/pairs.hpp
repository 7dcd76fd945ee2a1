/// Contact pairs between any two bodies.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "kernels/collision/obstacle.hpp"
#include "kernels/core/pose.hpp"
#include "kernels/core/twist.hpp"

namespace nodia {

/// PointMotion of the points of a frame.
struct FrameMotion {
  FrameTwist now, free;

  PointMotion velocity_at(Vec3d point, Vec3d origin) const {
    return {now.velocity_at(point, origin), free.velocity_at(point, origin)};
  }
};

enum class PointKind : std::uint8_t {
  nodes,  ///< weighted combination of soft nodes
  frame   ///< material point of a frame: rigid body, rod link, robot link, prescribed obstacle
};

/// Point of a body on which a contact force acts.
struct BodyPoint {
  PointKind kind = PointKind::nodes;
  std::int32_t n_node = 0;                       ///< 1 to 3; 0 for a frame
  std::array<std::int32_t, 3> node{-1, -1, -1};  ///< nodes of the state
  std::array<double, 3> weight{};                ///< > 0 for the first n_node, sum 1 [-]
  std::int32_t frame = -1;                       ///< frame of the state
  Vec3d position{};                              ///< world frame [m]
};

/// Features of the sides i and j of a pair.
enum class PairRule : std::uint8_t {
  node,    ///< node of a soft body, surface or interior, and a prescribed shape
  vertex,  ///< soft vertex and the closest point of a soft surface, a shape or a rod
  point,   ///< point of a shape or rod and the closest point of a soft surface or shape
  edge,    ///< edge and edge
  link,    ///< rod link and rod link
  face     ///< as `point`, with a face that is not the closest one (concave_faces.hpp)
};

/// Key of a pair and its contact force in the last step, contact frame [N].
using KeyedForce = std::pair<std::uint64_t, Vec3d>;
using KeyedForces = std::span<const KeyedForce>;  ///< keys ascending

struct SurfacePair {
  BodyPoint i, j;
  double gap_m = 0;  ///< surface distance without thickness and radii; negative: overlap [m]
  Vec3d normal{};    ///< unit, from j to i, world
  Vec3d surface_velocity{};  ///< mean material velocity of the prescribed side, else zero [m/s]
  std::uint64_t key = 0;     ///< identity over steps; constant while a vertex or point slides
  std::int32_t surface_i = 0, surface_j = 0;  ///< numbered by ProximitySearch
  PairRule rule = PairRule::vertex;
  /// Node (of the state), vertex, point, edge or link of i; triangle (shape: 0, but for rule
  /// `face`), edge, link of j.
  std::int32_t feature_i = 0, feature_j = 0;
  /// Correction of the gap at the end of the step because the bodies rotate [m].
  double turn_m = 0;
};

/// A pair of bodies that rotate in a step. With these points and this normal, the change of the gap
/// is linear in the velocities, with an error of third order in the angles of rotation.
struct TurnedPair {
  bool turns = false;  ///< a body rotates; if false, no other member is set
  /// Contact points at the middle of the step, less half of the translation of their frames: their
  /// levers about the frames' origins at the start are those of the middle [m].
  Vec3d at_i{}, at_j{};
  Vec3d normal{};        ///< mean of the unit normals at the start and at the end, unit
  double gap_end_m = 0;  ///< gap of the rotated bodies at the end of the step [m]
};

}  // namespace nodia
