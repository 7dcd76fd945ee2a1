/// Contact pairs of bodies that turn in a step.
#pragma once

#include <vector>

#include "host/collision/proximity_bodies.hpp"

namespace nodia {

/// Evaluates a pair at the end of a step. A body that turns by R about its origin moves a point
/// with the lever r by h v + (R - 1) r = h v + h w x (r + R r)/2 + O(h^3): the lever is that of the
/// middle of the step, and a force there does the work of the true motion. A round body turns with
/// its axis, not about it.
/// @param i, j  bodies of the pair at the start of the step
/// @param end   state at the end of the step
TurnedPair turned_pair(const SurfacePair& pair, const Body& i, const Body& j,
                       const ProximityState& end);

/// A shape, its number, and its pose at the end of a step.
struct ShapeAtEnd {
  const ShapeBody& shape;
  std::int32_t surface = 0;
  Pose end;
};

/// Appends pairs of two shapes that overlap at the end of a step by more than `least`, and that are
/// apart at its start. Omits those that are among the known pairs.
void find_entered_pairs(const ShapeAtEnd& i, const ShapeAtEnd& j, double least,
                        std::span<const SurfacePair> known, std::vector<SurfacePair>* out);

}  // namespace nodia
