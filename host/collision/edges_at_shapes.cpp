#include "host/collision/edges_at_shapes.hpp"

#include <algorithm>

#include "host/collision/beside_vertex.hpp"
#include "host/collision/index.hpp"
#include "host/collision/shape_points.hpp"

namespace nodia {
namespace {

/// Tolerance for a pair that carried force in the last step: it may turn by 30 degrees.
constexpr EdgeTolerance kOfCarried{0.5, 0.5};
/// Fraction of the shorter edge by which the gaps at the corners of a shape's edge may be larger
/// than the edge pair's. Smaller fractions add contacts between corners that touch the surface.
/// Many of these are linearly dependent, and solvers converge slowly.
constexpr double kNearlyAsClose = 0.01;

/// A search of the edges of one soft surface at one shape.
struct EdgesAtShape {
  const SoftBody& i;
  const ShapeBody& j;
  FoundPairs found;
  const PairSearch& search;
  double thickness;  ///< thickness_at() [m]
  double reach;      ///< no edge farther than this from the shape forms a pair [m]

  Vec3d low(std::int32_t e) const { return i.position(i.mesh.edges[at(e)][0]); }
  Vec3d high(std::int32_t e) const { return i.position(i.mesh.edges[at(e)][1]); }

  /// Calls visit(edge) for the edges of i whose box overlaps `near`.
  template <class Visit>
  void for_each_edge(const Bounds& near, const Visit& visit) const {
    i.for_each_edge(near, [&](std::int32_t e) {
      if (near.overlaps(i.edge_box(e))) visit(e);
    });
  }

  /// True if vertex k of the edge, 0 or 1, touches the shape with nearly this normal and at most
  /// this gap.
  bool vertex_carries(std::int32_t e, int k, double most, Vec3d normal) const {
    const SurfaceDistance d = j.distance(i.position(i.mesh.edges[at(e)][at(k)]));
    const double gap = d.distance - thickness;
    return gap < search.reach.margin_m && gap <= most && norm(d.normal - normal) < kSameNormal;
  }

  /// True if pairs of its vertices stand for a pair of the edge: that of the nearer vertex if it is
  /// almost the same (is_at_vertex()), or those of both.
  /// @param s    place of the pair on the edge, 0 to 1
  /// @param gap  of the pair [m]
  bool vertices_carry(std::int32_t e, double s, double gap, Vec3d normal) const {
    const int nearer = s < 0.5 ? 0 : 1;
    const double nearly = gap + kAsNear * norm(high(e) - low(e));
    return (is_at_vertex(s) && vertex_carries(e, nearer, nearly, normal)) ||
           (vertex_carries(e, nearer, HUGE_VAL, normal) &&
            vertex_carries(e, 1 - nearer, HUGE_VAL, normal));
  }

  /// True if the corners at both ends of the shape's edge are in pairs with at most this gap.
  bool corners_carry(std::int32_t f, double gap) const {
    if (f >= n_edge(j.surface.shape)) return false;
    const std::array<std::int32_t, 2> corner = edge_ends(j.surface.shape, f);
    return std::all_of(corner.begin(), corner.end(), [&](std::int32_t k) {
      if (k < 0) return false;
      const SurfacePair* pair =
          found_pair(found, search.surface_j, search.surface_i, PairRule::point, k);
      return pair != nullptr && pair->gap_m <= gap;
    });
  }

  /// @param radius  distance of the shape's surface from c.on_j [m]
  void add(std::int32_t e, std::int32_t f, const EdgeContact& c, double radius) const {
    const Vec3d on_j = c.on_j + radius * c.normal;
    search.add(PairRule::edge, e, f, i.body_point_on_edge(e, c.s, c.on_i), j.body_point(on_j),
               c.distance - radius - thickness, c.normal, i.velocity_on_edge(e, c.s),
               j.velocity(on_j));
  }

  /// Adds the pair of e and an edge of the shape, unless other pairs carry it.
  void add_at_edge(std::int32_t e, std::int32_t f, const SolidEdge& edge_j,
                   const SegmentPoints& points) const {
    const bool carries = search.carries(PairRule::edge, e, f);
    const SolidEdge edge_i = i.solid_edge(e);
    EdgeContact c;
    if (!find_edge_contact(edge_i, edge_j, points, &c, carries ? kOfCarried : EdgeTolerance{}) ||
        c.distance < -i.edge_depth) {
      return;
    }
    if (!carries) {
      const double shorter = shorter_length(edge_i, edge_j);
      const double gap = c.distance - thickness;
      if (!is_real(c, shorter, i, j) || vertices_carry(e, c.s, gap, c.normal)) return;
      if (corners_carry(f, gap + kNearlyAsClose * shorter)) return;
    }
    add(e, f, c, 0);
  }

  void find_at_edges() const {
    const Bounds near = seen_from(j.pose, i.extent.box.grown(reach), Pose{});
    j.for_each_edge(near, [&](std::int32_t f, const SolidEdge& local) {
      find_at_edge(f, world_edge(j, local));
    });
  }

  void find_at_edge(std::int32_t f, const SolidEdge& edge_j) const {
    ++search.counters->queries;
    for_each_edge(bounds_of_points(edge_j.a, edge_j.b).grown(reach), [&](std::int32_t e) {
      ++search.counters->distance_tests;
      SegmentPoints points;
      if (find_crossing(low(e), high(e), edge_j.a, edge_j.b, &points) &&
          points.squared_distance <= reach * reach)
        add_at_edge(e, f, edge_j, points);
    });
  }

  /// Finds pairs with feature f, the lateral surface of radius r about the segment a -> b.
  void find_at_axis(std::int32_t f, Vec3d a, Vec3d b, double r) const {
    ++search.counters->queries;
    for_each_edge(bounds_of_points(a, b).grown(r + reach), [&](std::int32_t e) {
      ++search.counters->distance_tests;
      SegmentPoints points;
      if (!find_crossing(low(e), high(e), a, b, &points) ||
          !(points.squared_distance <= (r + reach) * (r + reach))) {
        return;
      }
      const bool carries = search.carries(PairRule::edge, e, f);
      const SolidEdge edge = i.solid_edge(e);
      const Vec3d outward = edge.normal[0] + edge.normal[1];
      EdgeContact c{points.s, points.t, points.on_a, points.on_b, 0, {}};
      double length = 0;
      c.normal = direction_or(cross(high(e) - low(e), b - a), {}, &length);
      if (dot(c.normal, outward) > 0) c.normal = -c.normal;
      // Negative if the edge has passed the axis, which is then inside the body.
      c.distance = dot(c.on_i - c.on_j, c.normal);
      const EdgeTolerance within = carries ? kOfCarried : EdgeTolerance{};
      if (!is_convex(edge, within) || !in_normal_cone(edge, -c.normal, within)) return;
      if (c.distance < -i.edge_depth) return;
      if (c.distance < 0 && !i.contains(c.on_j, 0)) return;
      if (!carries && vertices_carry(e, c.s, c.distance - r - thickness, c.normal)) return;
      add(e, f, c, r);
    });
  }

  /// Finds pairs with feature f, the rims or the tube, where the distance along an edge is least
  /// between its ends.
  void find_at_circle(std::int32_t f) const {
    ++search.counters->queries;
    for_each_edge(j.extent.box.grown(reach), [&](std::int32_t e) {
      const Vec3d a = low(e), b = high(e);
      const auto distance = [&](Vec3d p) {
        ++search.counters->distance_tests;
        return j.distance(p);
      };
      if (!(distance(0.5 * (a + b)).distance < reach + 0.5 * norm(b - a))) return;
      const double s = least_inside(a, b, distance);
      if (!(s > 0)) return;
      const Vec3d p = a + s * (b - a);
      const SurfaceDistance d = distance(p);
      if (!(d.distance < reach)) return;
      SolidEdge rim;
      if (rim_at(j.surface.shape, j.pose.to_local(p), &rim)) {
        const SolidEdge edge_j = world_edge(j, rim);
        const Vec3d on_j = 0.5 * (edge_j.a + edge_j.b);
        add_at_edge(e, f, edge_j, {s, 0.5, p, on_j, squared_norm(p - on_j)});
        return;
      }
      if (Vec3d end; has_axis(j.surface.shape, &end)) return;  // find_at_axis() finds the wall
      const SolidEdge edge = i.solid_edge(e);
      const bool carries = search.carries(PairRule::edge, e, f);
      if (dot(d.normal, edge.normal[0] + edge.normal[1]) > 0 || d.distance < -i.edge_depth) return;
      if (!carries && vertices_carry(e, s, d.distance - thickness, d.normal)) return;
      add(e, f, {s, 0, p, p - d.distance * d.normal, d.distance, d.normal}, 0);
    });
  }
};

}  // namespace

bool vertices_resolve(const SoftBody& soft, const Shape& shape) {
  return curvature_radius(shape) >= 2 * soft.longest_edge;
}

bool edges_may_be_near(const ShapeBody& shape, const Bounds& box, double reach) {
  const Bounds near = box.grown(reach);
  if (n_edge(shape.surface.shape) == 0) return near.overlaps(shape.extent.box);
  bool any = false;
  shape.for_each_edge(seen_from(shape.pose, near, Pose{}),
                      [&](std::int32_t, const SolidEdge& local) {
                        const SolidEdge edge = world_edge(shape, local);
                        any = any || near.overlaps(bounds_of_points(edge.a, edge.b));
                      });
  return any;
}

void find_edges_at_shape(const SoftBody& i, const ShapeBody& j, FoundPairs found,
                         const PairSearch& search) {
  if (!i.mesh.is_closed) return;
  const Shape& shape = j.surface.shape;
  if (vertices_resolve(i, shape)) return;
  const double thickness = thickness_at(i, j);
  const double far = thickness + farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  const EdgesAtShape edges{i, j, found, search, thickness, std::max(far, i.edge_depth)};
  const std::size_t first = search.out->size();
  edges.find_at_edges();
  if (Vec3d end; has_axis(shape, &end))
    edges.find_at_axis(0, j.pose.to_world(-end), j.pose.to_world(end), shape.radius);
  if (has_circle(shape)) edges.find_at_circle(1);
  keep_one_beside_vertices(search, first);
}

}  // namespace nodia
