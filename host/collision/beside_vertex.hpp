/// Contacts of soft edges that are almost those of a vertex. Internal header of proximity.hpp.
#pragma once

#include <cstddef>

#include "host/collision/pair_search.hpp"

namespace nodia {

/// A contact of a soft edge is almost that of its nearer vertex if it is at most kBeside of the
/// edge away from it, the normals are nearly the same, and the vertex's gap is larger by at most
/// kAsNear of the edge. Two such contacts make solvers slow.
inline constexpr double kBeside = 0.05, kAsNear = 1e-3;

/// @param s  place of a contact on an edge, 0 to 1
inline bool is_beside_vertex(double s) {
  return s < kBeside || s > 1 - kBeside;
}

/// Orders the edge pairs of search.out from index `first` on. Of those that are beside one vertex,
/// with one feature of j and nearly the same normal, it keeps one: a pair that carried force in the
/// last step, or else the pair with the smallest gap.
void keep_one_beside_vertices(const PairSearch& search, std::size_t first);

}  // namespace nodia
