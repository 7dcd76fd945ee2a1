/// Contact of two edges, each between two faces of a solid; host and device.
#pragma once

#include "kernels/collision/closest_points.hpp"
#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// @param opposite  corner of the face off the edge, for either face [m]
/// @param normal    outward unit normal of either face [-]
NODIA_HD SolidEdge make_solid_edge(Vec3d a, Vec3d b, Vec3d opposite0, Vec3d normal0,
                                   Vec3d opposite1, Vec3d normal1) {
  double length = 0;
  const Vec3d axis = direction_or(b - a, {}, &length);
  const auto lead = [&](Vec3d opposite) {
    const Vec3d d = opposite - a;
    return direction_or(d - dot(d, axis) * axis, {}, &length);
  };
  return {a, b, {lead(opposite0), lead(opposite1)}, {normal0, normal1}};
}

/// Sine below which two edges count as parallel.
inline constexpr double kEdgeParallelSine = 0.05;

/// Sines by which the direction of a contact may leave the normal cone of an edge, and by which a
/// face may rise above the other face of the edge.
struct EdgeTolerance {
  double cone = 0.1, concave = 0.02;
};

/// True if the segments cross: their closest points are inside both, and their directions differ.
/// @param points  output: the closest points
NODIA_HD bool find_crossing(Vec3d a0, Vec3d a1, Vec3d b0, Vec3d b1, SegmentPoints* points) {
  const Vec3d da = a1 - a0, db = b1 - b0;
  if (!(squared_norm(cross(da, db)) >
        kEdgeParallelSine * kEdgeParallelSine * squared_norm(da) * squared_norm(db))) {
    return false;
  }
  *points = closest_on_segments(a0, a1, b0, b1);
  return points->s > 0 && points->s < 1 && points->t > 0 && points->t < 1;
}

struct EdgeContact {
  double s = 0, t = 0;   ///< parameters on the edges i and j, in (0, 1)
  Vec3d on_i{}, on_j{};  ///< [m]
  double distance = 0;   ///< signed; negative if each edge is inside the other solid [m]
  Vec3d normal{};        ///< unit, from j to i
};

/// True if d, unit and perpendicular to the edge, points out of the solid along its normal cone: no
/// point of the two faces near the edge is farther along d than the edge.
NODIA_HD bool in_normal_cone(const SolidEdge& e, Vec3d d, EdgeTolerance within = {}) {
  return dot(d, e.inward[0]) <= within.cone && dot(d, e.inward[1]) <= within.cone &&
         dot(d, e.normal[0] + e.normal[1]) > 0;
}

/// True if the solid is convex or flat at the edge: neither face rises above the other.
NODIA_HD bool is_convex(const SolidEdge& e, EdgeTolerance within = {}) {
  return dot(e.inward[0], e.normal[1]) <= within.concave &&
         dot(e.inward[1], e.normal[0]) <= within.concave;
}

/// True if the edges i and j are the locally closest features of two solids, or were before they
/// passed each other: both are convex, cross, and the direction between them is in both normal
/// cones. Otherwise a vertex and a face are closer, or equally close.
/// @param c  the closest points of i and j
NODIA_HD bool find_edge_contact(const SolidEdge& i, const SolidEdge& j, const SegmentPoints& c,
                                EdgeContact* contact, EdgeTolerance within = {}) {
  if (!is_convex(i, within) || !is_convex(j, within)) return false;
  // Perpendicular to both edges, also if they touch.
  double length = 0;
  Vec3d normal = direction_or(cross(i.b - i.a, j.b - j.a), {}, &length);
  if (dot(normal, j.normal[0] + j.normal[1]) < 0) normal = -normal;
  if (!in_normal_cone(j, normal, within) || !in_normal_cone(i, -normal, within)) return false;
  *contact = {c.s, c.t, c.on_a, c.on_b, dot(c.on_a - c.on_b, normal), normal};
  return true;
}

/// True if edges that have passed each other are in the other's solid, and not on opposite sides of
/// two solids that do not overlap there.
/// @param length  length of the shorter edge [m]
/// @param i, j    i.contains(p, slack): p is inside, or outside by less than `slack` [m]
template <class I, class J>
NODIA_HD bool is_real(const EdgeContact& c, double length, const I& i, const J& j) {
  constexpr double kTouching = 1e-9;
  const double touching = kTouching * length;
  return c.distance > -touching || (j.contains(c.on_i, touching) && i.contains(c.on_j, touching));
}

}  // namespace nodia
