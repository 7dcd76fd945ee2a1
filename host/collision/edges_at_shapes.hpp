/// Edges of soft surfaces at shapes. Internal header of proximity.hpp.
#pragma once

#include "host/collision/pair_search.hpp"

namespace nodia {

/// True if the surface's vertices alone resolve the shape: its radius of curvature is at least
/// twice the longest edge at rest.
bool vertices_resolve(const SoftBody& soft, const Shape& shape);

/// True if edges of the shape, or its round parts, may be nearer than `reach` to a box [m, world].
bool edges_may_be_near(const ShapeBody& shape, const Bounds& box, double reach);

/// Finds pairs of edges of a soft surface i with a shape j that vertices do not resolve: with its
/// edges, with the axis of a capsule or cylinder, and with the rims of a cylinder and the tube of a
/// torus.
///
/// An edge is omitted while both of its vertices touch the shape with nearly the same normal. A
/// pair that carried force in the last step is not omitted, and its directions may leave the normal
/// cones farther, until its gap opens: tests on the deformed surface would otherwise drop and find
/// it in turn.
void find_edges_at_shape(const SoftBody& i, const ShapeBody& j, const PairSearch& search);

}  // namespace nodia
