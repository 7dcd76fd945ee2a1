/// Overlap depths, and points that tunnelled through a surface. Internal header of proximity.hpp.
#pragma once

#include <vector>

#include "host/collision/proximity_bodies.hpp"
#include "host/collision/tunnelling.hpp"

namespace nodia {

/// Depth of the deepest point of either body in the other [m], 0 without overlap. Both bodies must
/// be different and updated to the same state.
double overlap_depth(const Body& i, const Body& j);

/// Positions of a body's points at the end of a step.
struct BodyEnd {
  BodyEnd(const Body& body, const ProximityState& end);

  std::vector<Vec3d> x;  ///< vertices of a soft body; rear, then front ends of a rod's axes
  Pose pose;             ///< pose of a shape
  Bounds box;            ///< box of start and end positions, without thickness [m]
  Bounds moved;          ///< box of the displacements of x [m]
  double farthest = 0;   ///< bound on the displacement of all points in the step [m]
};

/// Body at the start of a step (updated to it) and at its end.
struct BodyWay {
  const Body& body;
  const BodyEnd& end;
};

/// Point that tunnelled through a surface.
struct PointTunnelling {
  PairRule rule = PairRule::vertex;
  std::int32_t feature_i = 0, feature_j = 0;  ///< as in SurfacePair; feature_j for links of j only
  bool is_numbered = true;  ///< false if find() numbers the body's points by what they are near
  WayEnd end;
};

/// Finds the points of i that tunnelled through the surface of j and moved more than `shortest`
/// relative to it; for two rods (or one with itself) links through links; for a soft surface i and
/// a rod j the edges that links crossed.
void find_point_tunnelling(const BodyWay& i, const BodyWay& j, double shortest,
                           std::vector<PointTunnelling>* out);

}  // namespace nodia
