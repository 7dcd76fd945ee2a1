/// Depth of bodies in each other, and points that passed a surface; inside of proximity.hpp.
#pragma once

#include <vector>

#include "host/collision/passage.hpp"
#include "host/collision/proximity_bodies.hpp"

namespace nodia {

/// Depth of the deepest point of either body in the other [m], 0 where there is none; both updated
/// to one state, two different ones.
double overlap_depth(const Body& i, const Body& j);

/// Where a body's points are at the end of a step.
struct BodyEnd {
  BodyEnd(const Body& body, const ProximityState& end);

  std::vector<Vec3d> x;  ///< of a soft body's vertices; of a rod's axes: rear ends, then front ends
  Pose pose;             ///< of a shape
  Bounds box;            ///< around start and end, thickness left out [m]
  Bounds moved;          ///< around the ways end - start of x [m]
  double farthest = 0;   ///< no point moves more than this in the step [m]
};

/// A body at the start of a step (updated to it) and at its end.
struct BodyWay {
  const Body& body;
  const BodyEnd& end;
};

/// A point that came through a surface.
struct PointPassage {
  PairRule rule = PairRule::vertex;
  std::int32_t feature_i = 0, feature_j = 0;  ///< as of SurfacePair; feature_j of links only
  bool is_numbered = true;  ///< false where find() numbers the body's points by what they are near
  WayEnd end;
};

/// Points of i that came through the surface of j, whose way relative to it is longer than
/// `shortest`; of a rod in a rod (or in itself) links through links.
void find_point_passages(const BodyWay& i, const BodyWay& j, double shortest,
                         std::vector<PointPassage>* out);

}  // namespace nodia
