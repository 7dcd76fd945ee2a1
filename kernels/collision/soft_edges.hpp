/// Edge pairs of the surfaces of soft bodies, host and device.
#pragma once

#include "kernels/collision/edge_pair.hpp"
#include "kernels/collision/soft_surface.hpp"

namespace nodia {

/// Edges of a closed SoftSurface. An edge counts if it is between two triangles.
struct SoftEdges {
  const std::int32_t* end = nullptr;    ///< [2 n_edge] vertices: low, high
  std::int32_t n_sharp = 0;             ///< edges that are searched for pairs
  const std::int32_t* sharp = nullptr;  ///< [n_sharp] ascending
  const Vec3d* rest = nullptr;          ///< rest positions of the vertices [m]
  double depth_m = 0;                   ///< edges that overlap by more form no contact [m]
  double exclusion_m = 0;  ///< rest distance below which self-contact omits two edges [m]

  bool operator==(const SoftEdges&) const = default;

  NODIA_HD const std::int32_t* ends(std::int32_t edge) const {
    return end + std::int64_t{2} * edge;
  }

  /// True if the edge is sharp.
  NODIA_HD bool is_sharp(std::int32_t edge) const {
    std::int32_t below = 0;
    for (std::int32_t above = n_sharp; below < above;) {
      const std::int32_t middle = below + (above - below) / 2, at = sharp[middle];
      if (at == edge) return true;
      if (at < edge)
        below = middle + 1;
      else
        above = middle;
    }
    return false;
  }

  /// True if self-contact omits the two edges.
  NODIA_HD bool are_near_at_rest(std::int32_t e, std::int32_t f) const {
    const std::int32_t *a = ends(e), *b = ends(f);
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return true;
    return closest_on_segments(rest[a[0]], rest[a[1]], rest[b[0]], rest[b[1]]).squared_distance <
           exclusion_m * exclusion_m;
  }
};

/// Surface with its edges.
struct EdgedSurface {
  const SoftSurface& surface;
  const SoftEdges& edges;

  /// True if the edge is between two triangles.
  NODIA_HD bool counts(std::int32_t edge) const {
    return surface.edge_begin[edge + 1] - surface.edge_begin[edge] == 2;
  }
  NODIA_HD std::int32_t first_triangle(std::int32_t edge) const {
    return surface.around_edge[surface.edge_begin[edge]];
  }
  template <class Memory>
  NODIA_HD Bounds box(std::int32_t edge, Memory memory) const {
    const std::int32_t* ends = edges.ends(edge);
    return bounds_of_points(surface.position(ends[0], memory), surface.position(ends[1], memory));
  }
  template <class Memory>
  NODIA_HD SolidEdge solid_edge(std::int32_t edge, Memory memory) const {
    const std::int32_t low = edges.ends(edge)[0], high = edges.ends(edge)[1];
    const std::int32_t* around = surface.around_edge + surface.edge_begin[edge];
    const auto opposite = [&](std::int32_t t) {
      const std::int32_t* c = surface.corners(t);
      const auto is_off = [&](std::int32_t vertex) { return vertex != low && vertex != high; };
      return surface.position(is_off(c[0]) ? c[0] : (is_off(c[1]) ? c[1] : c[2]), memory);
    };
    return make_solid_edge(surface.position(low, memory), surface.position(high, memory),
                           opposite(around[0]), surface.normal_of(around[0], memory),
                           opposite(around[1]), surface.normal_of(around[1], memory));
  }
  template <class Memory>
  NODIA_HD double length(std::int32_t edge, Memory memory) const {
    const std::int32_t* ends = edges.ends(edge);
    return norm(surface.position(ends[1], memory) - surface.position(ends[0], memory));
  }
  /// Velocity at the parameter s on an edge [m/s].
  template <class Memory>
  NODIA_HD PointMotion velocity(std::int32_t edge, double s, Memory memory) const {
    const PointMotion low = memory.read(surface.v + edges.ends(edge)[0]),
                      high = memory.read(surface.v + edges.ends(edge)[1]);
    return {(1 - s) * low.now + s * high.now, (1 - s) * low.free + s * high.free};
  }
};

/// Largest distance at which edges of two bodies, or of one, may form a pair [m].
/// @param depth_m  the smaller SoftEdges::depth_m
NODIA_HD double edge_reach(const BodyExtent& i, const BodyExtent& j, double depth_m,
                           DetectionReach reach) {
  return larger(depth_m, i.thickness + j.thickness + farthest_gap(reach, approach_bound(i, j)));
}

/// Arguments of a search for edge pairs of i and j.
struct EdgeSearch {
  EdgedSurface i, j;
  bool is_self = false;  ///< i and j are one surface
  double depth_m = 0;    ///< the smaller SoftEdges::depth_m
  double reach_m = 0;    ///< edge_reach()
};

/// Contact of edge e of i and edge f of j, by geometry alone, without the tests of
/// find_soft_edge_pair.
template <class Memory>
NODIA_HD bool find_soft_edge_contact(const EdgeSearch& search, std::int32_t e, std::int32_t f,
                                     EdgeContact* contact, Memory memory) {
  const EdgedSurface &i = search.i, &j = search.j;
  const std::int32_t *a = i.edges.ends(e), *b = j.edges.ends(f);
  SegmentPoints points;
  if (!find_crossing(i.surface.position(a[0], memory), i.surface.position(a[1], memory),
                     j.surface.position(b[0], memory), j.surface.position(b[1], memory), &points))
    return false;
  if (!(points.squared_distance <= search.reach_m * search.reach_m)) return false;
  if (search.is_self && i.edges.are_near_at_rest(e, f)) return false;
  return find_edge_contact(i.solid_edge(e, memory), j.solid_edge(f, memory), points, contact) &&
         !(contact->distance < -search.depth_m);
}
/// Gap of an edge contact [m].
NODIA_HD double gap_of(const EdgeSearch& search, const EdgeContact& contact) {
  return contact.distance - (search.i.surface.thickness_m + search.j.surface.thickness_m);
}

/// Length of the difference of two unit normals below which they count as nearly equal.
inline constexpr double kSameNormal = 0.1;
/// Fraction of the shorter edge by which the gaps at covered ends of an edge may be larger [-].
inline constexpr double kCovered = 0.01;

/// Pair of an end of an edge with the other edge's surface.
struct EndPair {
  double gap_m = HUGE_VAL;  ///< infinite without a pair
  Vec3d normal{};           ///< towards the end
};

/// True if both ends of an edge are in pairs with a gap of at most `gap_m`.
/// @param end  end(0), end(1) are their EndPairs
template <class End>
NODIA_HD bool is_covered(const End& end, double gap_m) {
  return end(0).gap_m <= gap_m && end(1).gap_m <= gap_m;
}
/// True if both ends are in pairs with nearly this normal, which points to the edge.
template <class End>
NODIA_HD bool is_carried(const End& end, Vec3d normal) {
  const auto carries = [&](const EndPair& pair) {
    return pair.gap_m < HUGE_VAL && norm(pair.normal - normal) < kSameNormal;
  };
  return carries(end(0)) && carries(end(1));
}

/// Contact of edge e of i and edge f of j, unless vertex pairs cover it, or the edges have passed
/// each other where the bodies do not overlap.
/// @param end_i, end_j    EndPairs of e with j, of f with i
/// @param body_i, body_j  in the form of is_real()
template <class EndI, class EndJ, class BodyI, class BodyJ, class Memory>
NODIA_HD bool find_soft_edge_pair(const EdgeSearch& search, std::int32_t e, std::int32_t f,
                                  const EndI& end_i, const EndJ& end_j, const BodyI& body_i,
                                  const BodyJ& body_j, EdgeContact* contact, Memory memory) {
  if (!find_soft_edge_contact(search, e, f, contact, memory)) return false;
  const double shorter = smaller(search.j.length(f, memory), search.i.length(e, memory)),
               covered = gap_of(search, *contact) + kCovered * shorter;
  if (is_covered(end_i, covered) || is_covered(end_j, covered)) return false;
  return search.is_self ||
         (!(is_carried(end_i, contact->normal) && is_carried(end_j, -contact->normal)) &&
          is_real(*contact, shorter, body_i, body_j));
}

}  // namespace nodia
