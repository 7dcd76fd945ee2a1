/// Contact of the edges of a soft surface with the links of a rod. Internal header of
/// proximity.hpp.
#pragma once

#include "host/collision/pair_search.hpp"

namespace nodia {

/// Closest points of an edge and a link's axis, both inside.
struct RodEdgeContact {
  double s = 0;                ///< parameter on the edge, in (0, 1)
  Vec3d on_edge{}, on_axis{};  ///< [m]
  double distance = 0;         ///< signed; negative if the axis is inside a closed surface [m]
  Vec3d normal{};              ///< unit, from the axis to the edge; reversed inside
};

/// Finds the contact of edge e of i, between two triangles, and a link of j. Returns false if
/// - the closest point of either is an end, where a vertex or a point of the rod has the contact;
/// - they are parallel within 3 degrees: the ends of their common part have the contacts, and the
///   closest points would jump along it;
/// - a closed surface is nearer to the axis on another side.
/// @param reach  largest distance [m]
bool find_rod_edge(const SoftBody& i, std::int32_t e, const RodBody& j, std::int32_t link,
                   double reach, RodEdgeContact* contact, std::int64_t* n_test);

/// Finds pairs of edges of i with the links [begin, end) of j.
void find_edges_on_rod(const SoftBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                       const PairSearch& search);

/// Depth of the edges of i in the links of j, and of links of j that pierce a closed surface [m]; 0
/// without overlap.
double rod_edges_depth(const SoftBody& i, const RodBody& j);

}  // namespace nodia
