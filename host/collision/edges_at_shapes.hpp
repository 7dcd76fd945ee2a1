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
/// The search omits an edge if both of its vertices touch the shape with nearly the same normal, or
/// if the pair of the nearer one is almost the same. It also omits the edge if the pairs of the
/// corners at both ends of the shape's edge are nearly as close. A pair that carried force in the
/// last step stays until its gap opens, and its normal may leave the normal cones farther.
/// Otherwise tests on the deformed surface would omit the pair in one step and find it in the next.
/// @param found  pairs of the first round
void find_edges_at_shape(const SoftBody& i, const ShapeBody& j, FoundPairs found,
                         const PairSearch& search);

}  // namespace nodia
