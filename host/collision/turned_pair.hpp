/// Contact pairs of bodies that rotate in a step.
#pragma once

#include <vector>

#include "host/collision/proximity_bodies.hpp"

namespace nodia {

/// Evaluates a pair at the middle and at the end of a step. A body with the velocities v and w that
/// rotates by R about its origin moves a point with the lever r by
///
///   h v + (R - 1) r = h v + h w x (r + R r)/2 + O(h^3)
///
/// With the mean lever (r + R r)/2, a contact force does the work of the true motion. The rotation
/// of a round shape about its axis is left out, because it moves no surface.
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

/// Appends the pairs of two shapes that overlap at the end of a step by more than `least`, and by
/// less than half of that overlap at its start. Omits the known pairs.
/// @param least  [m]
void find_entered_pairs(const ShapeAtEnd& i, const ShapeAtEnd& j, double least,
                        std::span<const SurfacePair> known, std::vector<SurfacePair>* out);

}  // namespace nodia
