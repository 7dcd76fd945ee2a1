/// Edges of soft bodies' surfaces near each other, host and device.
#pragma once

#include "kernels/collision/edge_pair.hpp"
#include "kernels/collision/soft_surface.hpp"

namespace nodia {

/// Of a closed SoftSurface, beside it. An edge that counts lies between two triangles.
struct SoftEdges {
  const std::int32_t* end = nullptr;    ///< [2 n_edge] vertices: low, high
  std::int32_t n_sharp = 0;             ///< edges that are asked for what they are near
  const std::int32_t* sharp = nullptr;  ///< [n_sharp] ascending
  const Vec3d* rest = nullptr;          ///< of the vertices, at rest [m]
  double depth_m = 0;      ///< edges that have passed each other by more are no contact [m]
  double exclusion_m = 0;  ///< distance at rest below which self-contact leaves out two edges [m]

  bool operator==(const SoftEdges&) const = default;

  NODIA_HD const std::int32_t* ends(std::int32_t edge) const {
    return end + std::int64_t{2} * edge;
  }

  /// Whether self-contact leaves out two edges.
  NODIA_HD bool are_near_at_rest(std::int32_t e, std::int32_t f) const {
    const std::int32_t *a = ends(e), *b = ends(f);
    if (a[0] == b[0] || a[0] == b[1] || a[1] == b[0] || a[1] == b[1]) return true;
    return closest_on_segments(rest[a[0]], rest[a[1]], rest[b[0]], rest[b[1]]).squared_distance <
           exclusion_m * exclusion_m;
  }
};

/// A surface with its edges.
struct EdgedSurface {
  const SoftSurface& surface;
  const SoftEdges& edges;

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
  /// At the place s on an edge [m/s].
  template <class Memory>
  NODIA_HD PointMotion velocity(std::int32_t edge, double s, Memory memory) const {
    const PointMotion low = memory.read(surface.v + edges.ends(edge)[0]),
                      high = memory.read(surface.v + edges.ends(edge)[1]);
    return {(1 - s) * low.now + s * high.now, (1 - s) * low.free + s * high.free};
  }
};

/// Farthest distance at which edges of two bodies, or of one, are looked at [m]. @param depth_m the
/// smaller SoftEdges::depth_m
NODIA_HD double edge_reach(const BodyExtent& i, const BodyExtent& j, double depth_m,
                           DetectionReach reach) {
  return larger(depth_m, i.thickness + j.thickness + farthest_gap(reach, approach_bound(i, j)));
}

/// The contact of the edges e of i and f of j, where nothing else speaks for it and nothing lies
/// between them. @param is_self  i and j are one surface  @param reach_m  edge_reach()
template <class Memory>
NODIA_HD bool find_soft_edge_contact(const EdgedSurface& i, std::int32_t e, const EdgedSurface& j,
                                     std::int32_t f, bool is_self, double depth_m, double reach_m,
                                     EdgeContact* contact, Memory memory) {
  const std::int32_t *a = i.edges.ends(e), *b = j.edges.ends(f);
  SegmentPoints points;
  if (!find_crossing(i.surface.position(a[0], memory), i.surface.position(a[1], memory),
                     j.surface.position(b[0], memory), j.surface.position(b[1], memory), &points))
    return false;
  if (!(points.squared_distance <= reach_m * reach_m)) return false;
  if (is_self && i.edges.are_near_at_rest(e, f)) return false;
  return find_edge_contact(i.solid_edge(e, memory), j.solid_edge(f, memory), points, contact) &&
         !(contact->distance < -depth_m);
}

}  // namespace nodia
