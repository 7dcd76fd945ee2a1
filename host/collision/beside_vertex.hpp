/// Contacts of soft edges that are almost the same, near a vertex. Internal header of
/// proximity.hpp. Two such contacts make solvers slow.
#pragma once

#include <cstddef>

#include "host/collision/pair_search.hpp"

namespace nodia {

/// The contact of an edge is almost that of its nearer vertex if it is at most kAtVertex of the
/// edge away from it, the normals are nearly the same, and the vertex's gap is larger by at most
/// kAsNear of the edge.
inline constexpr double kAtVertex = 0.01, kAsNear = 1e-3;

/// @param s  place of the contact on the edge, 0 to 1
inline bool is_at_vertex(double s) {
  return s < kAtVertex || s > 1 - kAtVertex;
}

/// Orders the edge pairs of search.out from index `first` on. Of those at most 0.05 of their edge
/// from one vertex, with one feature of j and nearly the same normal, it keeps one: a pair that
/// carried force in the last step, or else the pair with the smallest gap.
void keep_one_beside_vertices(const PairSearch& search, std::size_t first);

}  // namespace nodia
