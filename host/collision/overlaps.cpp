/// Overlap depths of bodies, and detection of tunnelling.
#include "host/collision/overlaps.hpp"

#include <algorithm>

#include "host/collision/index.hpp"
#include "host/collision/rod_edges.hpp"
#include "host/collision/shape_points.hpp"

namespace nodia {
namespace {

/// Depth of a sphere in a body [m]; <= 0 if it is outside.
double depth_in(const SoftBody& j, Vec3d centre, double radius) {
  const double reach = radius + j.extent.thickness;
  if (!is_finite(centre) || !(j.extent.box.squared_distance(centre) <= reach * reach)) return 0;
  SurfaceHit hit;
  std::int64_t n_test = 0;
  if (!j.find_closest(centre, reach, HUGE_VAL, nullptr, &hit, &n_test)) return 0;
  return reach - hit.distance;
}

double depth_in(const ShapeBody& j, Vec3d centre, double radius) {
  if (!is_finite(centre) || !j.bounds.is_near(j.pose.to_local(centre), radius)) return 0;
  const double distance = j.distance(centre, radius).distance;
  return std::isfinite(distance) ? radius - distance : 0;
}

double depth_in(const RodBody& j, Vec3d centre, double radius) {
  const double reach = radius + j.rod.radius_m;
  if (!is_finite(centre) || !(j.extent.box.squared_distance(centre) <= reach * reach)) return 0;
  double depth = 0;
  j.tree.for_each_overlap(bounds_of_points(centre).grown(reach), [&](std::int32_t place) {
    const std::int32_t link = j.tree.item(place);
    const Vec3d a = j.a[at(link)], b = j.b[at(link)];
    depth = std::max(depth, reach - norm(centre - a - closest_on_segment(centre, a, b) * (b - a)));
  });
  return depth;
}

/// Calls visit(centre, radius), world, for spheres of a body that determine its overlap depth.
template <class Visit>
void for_each_sphere(const SoftBody& i, const Visit& visit) {
  Vec3d sum{};
  for (const Vec3d p : i.x) {
    visit(p, i.extent.thickness);
    sum += p;
  }
  // If two bodies coincide, all vertices are on the other's surface; the centre is inside.
  const Vec3d centre = (1.0 / static_cast<double>(i.x.size())) * sum;
  if (i.mesh.is_closed && i.contains(centre, 0)) visit(centre, 0.0);
}

template <class Visit>
void for_each_sphere(const RodBody& i, const Visit& visit) {
  for (std::int32_t k = 0; k < i.n_point(); ++k) visit(i.point(k), i.rod.radius_m);
}

template <class Visit>
void for_each_sphere(const ShapeBody& i, const Visit& visit) {
  for_each_depth_point(i.surface.shape, [&](const ShapePoint& point) {
    visit(i.pose.to_world(point.centre), point.radius);
  });
}

template <class I, class J>
double points_depth(const I& i, const J& j) {
  double depth = 0;
  for_each_sphere(i, [&](Vec3d centre, double radius) {
    depth = std::max(depth, depth_in(j, centre, radius));
  });
  return depth;
}

/// Depth of the deepest of some points of the segment a -> b in a body [m]; 0 if it is outside. The
/// points are one distance apart, because there is no surface between them, but at least
/// `thickness`/2, so that one of them is in a body of that thickness.
/// @param distance  point -> signed distance, 1-Lipschitz
template <class Distance>
double segment_depth(Vec3d a, Vec3d b, double thickness, const Distance& distance) {
  constexpr double kSteps = 16;
  const double length = norm(b - a);
  if (!(distance(0.5 * (a + b)) < 0.5 * length)) return 0;
  const double shortest = std::min(length / kSteps, 0.5 * thickness);
  double depth = 0;
  for (double s = 0; s < length && shortest > 0;) {
    const double d = distance(a + (s / length) * (b - a));
    depth = std::max(depth, -d);
    s += std::max(std::fabs(d), shortest);
  }
  return depth;
}

/// Depth of the edges of i in j [m].
double edges_depth(const ShapeBody& i, const ShapeBody& j, double thickness) {
  if (n_edge(i.surface.shape) == 0 || !is_bounded(j.surface.shape)) return 0;
  double depth = 0;
  const Bounds near = seen_from(i.pose, {j.bounds.lo, j.bounds.hi}, j.pose);
  i.for_each_edge(near, [&](std::int32_t, const SolidEdge& edge) {
    const auto to_j = [&](Vec3d p) { return j.pose.to_local(i.pose.to_world(p)); };
    const auto distance = [&](Vec3d p) { return signed_distance(j.surface.shape, p, 0).distance; };
    depth = std::max(depth, segment_depth(to_j(edge.a), to_j(edge.b), thickness, distance));
  });
  return depth;
}

double points_depth(const ShapeBody& i, const ShapeBody& j) {
  double depth = 0;
  const auto visit = [&](Vec3d centre, double radius) {
    depth = std::max(depth, depth_in(j, centre, radius));
  };
  for_each_sphere(i, visit);
  const auto distance = [&](Vec3d p) {
    SurfaceDistance found = j.distance(i.pose.to_world(p));
    found.normal = transpose_times(i.pose.rotation, found.normal);
    return found;
  };
  for_each_round_point(i.surface.shape, distance, [&](const ShapePoint& point) {
    visit(i.pose.to_world(point.centre), point.radius);
  });
  const double thickness = std::min(smallest_size(i.bounds), smallest_size(j.bounds));
  return std::max(depth, edges_depth(i, j, thickness));
}

double links_depth(const RodBody& i, const RodBody& j) {
  const double radii = i.rod.radius_m + j.rod.radius_m;
  double depth = 0;
  i.tree.for_each_overlap(j.tree, radii, [&](std::int32_t place_i, std::int32_t place_j) {
    const auto a = at(i.tree.item(place_i)), b = at(j.tree.item(place_j));
    const SegmentPoints c = closest_on_segments(i.a[a], i.b[a], j.a[b], j.b[b]);
    depth = std::max(depth, radii - std::sqrt(c.squared_distance));
  });
  return depth;
}

/// Swept path of a point of i in the frame of a shape.
struct LocalWay {
  Vec3d a, b;
};

/// Appends the tunnelling of a sphere through a shape, if there is one.
void add_tunnelling(const ShapeBody& j, const LocalWay& way, double radius, double shortest,
                    PointTunnelling tunnelling, std::vector<PointTunnelling>* out) {
  const double length = norm(way.b - way.a);
  if (!(length > shortest) || !std::isfinite(length)) return;
  if (!j.bounds.is_near(way.a, radius + length)) return;
  const auto distance = [&](Vec3d p) {
    SurfaceDistance d = signed_distance(j.surface.shape, p);
    d.distance -= radius;
    return d;
  };
  const double start = distance(way.a).distance;
  if (!(start > 0 && start < length)) return;
  tunnelling.end = end_of_way(way.a, way.b, distance);
  if (tunnelling.end.where != WayEnd::Where::outside) out->push_back(tunnelling);
}

/// Appends the tunnelling of a point through a soft surface, if there is one.
/// @param own  vertex of j for self-contact, which omits triangles; -1: a point of another body
void add_tunnelling(const SoftBody& j, const BodyEnd& j_end, Vec3d a, Vec3d b, std::int32_t own,
                    PointTunnelling tunnelling, std::vector<PointTunnelling>* out) {
  const Bounds swept = way_seen_from(j_end.moved, a, b);
  if (swept.is_empty() || !swept.overlaps(j.extent.box)) return;
  const auto known_begin =
      own < 0 ? j.excluded.end() : j.excluded.begin() + j.excluded_begin[at(own)];
  const auto known_end =
      own < 0 ? j.excluded.end() : j.excluded.begin() + j.excluded_begin[at(own) + 1];
  std::vector<Crossing> crossings;
  const auto visit = [&](std::int32_t place) {
    const std::int32_t t = j.tree.item(place);
    const auto& corners = j.mesh.triangles[at(t)];
    if (std::binary_search(known_begin, known_end, t)) return;
    MovingTriangle triangle;
    for (std::size_t k = 0; k < 3; ++k) {
      triangle.now[k] = j.position(corners[k]);
      triangle.end[k] = j_end.x[at(corners[k])];
    }
    find_crossings(a, b, triangle, &crossings);
  };
  if (own < 0)
    j.tree.for_each_overlap(swept, visit);
  else
    j.tree.for_each_overlap(swept, j.others.of(own), visit);
  tunnelling.end = end_of_crossings(&crossings, j.mesh.is_closed);
  if (tunnelling.end.where != WayEnd::Where::outside) out->push_back(tunnelling);
}

/// Calls visit(feature, is_numbered, a, b, radius) for the swept paths of a body's points, world.
template <class Visit>
void for_each_way(const SoftBody& i, const BodyEnd& end, const Visit& visit) {
  for (std::int32_t vertex = 0; vertex < i.mesh.n_vertex(); ++vertex)
    visit(vertex, true, i.position(vertex), end.x[at(vertex)], i.extent.thickness);
}

template <class Visit>
void for_each_way(const RodBody& i, const BodyEnd& end, const Visit& visit) {
  const std::int32_t n = i.rod.n_link;
  for (std::int32_t k = 0; k < i.n_point(); ++k)
    visit(k, true, i.point(k), end.x[at(k < n ? k : 2 * n - 1)], i.rod.radius_m);
}

template <class Visit>
void for_each_way(const ShapeBody& i, const BodyEnd& end, const Visit& visit) {
  const Shape& shape = i.surface.shape;
  const bool is_numbered = keeps_features(shape);
  for_each_sharp_point(shape, [&](const ShapePoint& point) {
    visit(point.feature, is_numbered, i.pose.to_world(point.centre),
          end.pose.to_world(point.centre), point.radius);
  });
}

template <class I>
void find_in_shape(const I& i, const BodyEnd& i_end, const ShapeBody& j, const BodyEnd& j_end,
                   double shortest, PairRule rule, std::vector<PointTunnelling>* out) {
  for_each_way(i, i_end, [&](std::int32_t feature, bool is_numbered, Vec3d a, Vec3d b, double r) {
    add_tunnelling(j, {j.pose.to_local(a), j_end.pose.to_local(b)}, r, shortest,
                   {rule, feature, 0, is_numbered, {}}, out);
  });
}

template <class I>
void find_in_soft(const I& i, const BodyEnd& i_end, const SoftBody& j, const BodyEnd& j_end,
                  double shortest, PairRule rule, bool is_self, std::vector<PointTunnelling>* out) {
  for_each_way(i, i_end, [&](std::int32_t feature, bool is_numbered, Vec3d a, Vec3d b, double) {
    if (!(relative_speed(b - a, j_end.moved) > shortest)) return;
    add_tunnelling(j, j_end, a, b, is_self ? feature : -1, {rule, feature, 0, is_numbered, {}},
                   out);
  });
}

std::array<Vec3d, 2> axis_of(const RodBody& rod, std::int32_t link) {
  return {rod.a[at(link)], rod.b[at(link)]};
}

std::array<Vec3d, 2> axis_at_end(const RodBody& rod, const BodyEnd& end, std::int32_t link) {
  return {end.x[at(link)], end.x[at(rod.rod.n_link + link)]};
}

void find_in_rod(const RodBody& i, const BodyEnd& i_end, const RodBody& j, const BodyEnd& j_end,
                 std::vector<PointTunnelling>* out) {
  const bool is_self = &i == &j;
  for (std::int32_t link = 0; link < i.rod.n_link; ++link) {
    const auto a_now = axis_of(i, link), a_end = axis_at_end(i, i_end, link);
    Bounds swept = way_seen_from(j_end.moved, a_now[0], a_end[0]);
    swept.add(way_seen_from(j_end.moved, a_now[1], a_end[1]));
    if (swept.is_empty()) continue;
    j.tree.for_each_overlap(swept, [&](std::int32_t place) {
      const std::int32_t other = j.tree.item(place);
      if (is_self && other - link < i.exclusion) return;
      if (!segments_cross(a_now, a_end, axis_of(j, other), axis_at_end(j, j_end, other))) return;
      const double depth = i.rod.radius_m + j.rod.radius_m;
      out->push_back({PairRule::link, link, other, true, {WayEnd::Where::through, depth}});
    });
  }
}

/// Finds edges of i, between two triangles, that the axes of links of j crossed.
void find_edges_in_rod(const SoftBody& i, const BodyEnd& i_end, const RodBody& j,
                       const BodyEnd& j_end, std::vector<PointTunnelling>* out) {
  if (j.rod.contact == RodContact::link_centres) return;
  const double depth = i.extent.thickness + j.rod.radius_m;
  for (std::int32_t link = 0; link < j.rod.n_link; ++link) {
    const auto axis_now = axis_of(j, link), axis_end = axis_at_end(j, j_end, link);
    Bounds swept = way_seen_from(i_end.moved, axis_now[0], axis_end[0]);
    swept.add(way_seen_from(i_end.moved, axis_now[1], axis_end[1]));
    if (swept.is_empty()) continue;
    i.for_each_edge(swept, [&](std::int32_t e) {
      const auto [low, high] = i.mesh.edges[at(e)];
      if (segments_cross({i.position(low), i.position(high)}, {i_end.x[at(low)], i_end.x[at(high)]},
                         axis_now, axis_end))
        out->push_back({PairRule::edge, e, link, true, {WayEnd::Where::through, depth}});
    });
  }
}

}  // namespace

double overlap_depth(const Body& i, const Body& j) {
  const double depth = std::visit(
      [](const auto& a, const auto& b) { return std::max(points_depth(a, b), points_depth(b, a)); },
      i, j);
  const auto* rod_i = std::get_if<RodBody>(&i);
  const auto* rod_j = std::get_if<RodBody>(&j);
  const auto* soft_i = std::get_if<SoftBody>(&i);
  const auto* soft_j = std::get_if<SoftBody>(&j);
  if (soft_i && rod_j) return std::max(depth, rod_edges_depth(*soft_i, *rod_j));
  if (rod_i && soft_j) return std::max(depth, rod_edges_depth(*soft_j, *rod_i));
  return rod_i && rod_j ? std::max(depth, links_depth(*rod_i, *rod_j)) : depth;
}

BodyEnd::BodyEnd(const Body& body, const ProximityState& end) {
  box = extent_of(body).box;
  const auto add = [&](Vec3d from, Vec3d to) {
    if (!is_finite(to) || !is_finite(from)) return;
    box.add(to);
    moved.add(to - from);
    farthest = std::max(farthest, norm(to - from));
  };
  if (const auto* soft = std::get_if<SoftBody>(&body)) {
    x.reserve(soft->x.size());
    for (std::size_t i = 0; i < soft->x.size(); ++i) {
      x.push_back(end.x[at(soft->first_node + soft->mesh.nodes[i])]);
      add(soft->x[i], x.back());
    }
  } else if (const auto* rod = std::get_if<RodBody>(&body)) {
    const bool is_long = rod->rod.contact == RodContact::segments;
    const double half = is_long ? 0.5 * rod->rod.link_length_m : 0.0;
    for (const double side : {-half, half})
      for (std::int32_t k = 0; k < rod->rod.n_link; ++k) {
        x.push_back(end.pose[at(rod->rod.first_frame + k)].to_world({0, 0, side}));
        add((side < 0 || !is_long ? rod->a : rod->b)[at(k)], x.back());
      }
  } else {
    const auto& shape = std::get<ShapeBody>(body);
    const Pose& frame = end.pose[at(shape.surface.frame)];
    const Pose& in_frame = shape.surface.in_frame;
    pose = {frame.to_world(in_frame.position), frame.rotation * in_frame.rotation};
    const double radius = shape.bounds.radius();
    const Mat3d turned = pose.rotation - shape.pose.rotation;
    double spin = 0;
    for (int k = 0; k < 3; ++k) spin += squared_norm(turned.row[k]);
    farthest = norm(pose.position - shape.pose.position);
    if (spin > 0) farthest += std::sqrt(spin) * radius;
    box = std::isfinite(farthest) ? box.grown(farthest) : box;
  }
}

void find_point_tunnelling(const BodyWay& way_i, const BodyWay& way_j, double shortest,
                           std::vector<PointTunnelling>* out) {
  const bool is_self = &way_i.body == &way_j.body;
  const auto* soft_i = std::get_if<SoftBody>(&way_i.body);
  const auto* rod_i = std::get_if<RodBody>(&way_i.body);
  const auto* shape_i = std::get_if<ShapeBody>(&way_i.body);
  const auto* rod_j = std::get_if<RodBody>(&way_j.body);
  const BodyEnd &i = way_i.end, &j = way_j.end;
  if (const auto* shape_j = std::get_if<ShapeBody>(&way_j.body)) {
    if (soft_i) find_in_shape(*soft_i, i, *shape_j, j, shortest, PairRule::vertex, out);
    if (rod_i) find_in_shape(*rod_i, i, *shape_j, j, shortest, PairRule::point, out);
    if (shape_i) find_in_shape(*shape_i, i, *shape_j, j, shortest, PairRule::point, out);
  } else if (const auto* soft_j = std::get_if<SoftBody>(&way_j.body)) {
    if (soft_i) find_in_soft(*soft_i, i, *soft_j, j, shortest, PairRule::vertex, is_self, out);
    if (rod_i) find_in_soft(*rod_i, i, *soft_j, j, shortest, PairRule::point, false, out);
    if (shape_i) find_in_soft(*shape_i, i, *soft_j, j, shortest, PairRule::point, false, out);
  } else {
    if (rod_i) find_in_rod(*rod_i, i, *rod_j, j, out);
    if (soft_i) find_edges_in_rod(*soft_i, i, *rod_j, j, out);
  }
}

}  // namespace nodia
