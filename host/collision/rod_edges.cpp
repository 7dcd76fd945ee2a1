/// Contact of the edges of a soft surface with the links of a rod.
#include "host/collision/rod_edges.hpp"

#include <algorithm>

#include "host/collision/beside_vertex.hpp"
#include "host/collision/index.hpp"
#include "host/collision/tunnelling.hpp"

namespace nodia {
namespace {

/// Calls visit(e, link) for the edges of i within `reach` of the box of a link in [begin, end) of
/// j. Does nothing if the rod's contact is at link centres.
template <class Visit>
void for_each_near_rod_edge(const SoftBody& i, const RodBody& j, std::int32_t begin,
                            std::int32_t end, double reach, const Visit& visit) {
  if (j.rod.contact == RodContact::link_centres) return;
  for (std::int32_t link = begin; link < end; ++link) {
    const Bounds box = j.boxes[at(link)].grown(reach);
    if (!box.is_empty()) i.for_each_edge(box, [&](std::int32_t e) { visit(e, link); });
  }
}

/// True if the surface point nearest to p, inside i, is about in the direction `outwards`.
bool is_nearest_outwards(const SoftBody& i, Vec3d p, double distance, Vec3d outwards,
                         std::int64_t* n_test) {
  constexpr double kSameSide = 0.5;  // cosine
  SurfaceHit hit;
  return i.find_closest(p, 2 * distance, HUGE_VAL, nullptr, &hit, n_test) && hit.distance < 0 &&
         dot(hit.normal, outwards) > kSameSide;
}

/// True if the contact of the nearer vertex of the edge with the link is almost the same.
bool vertex_carries(const SoftBody& i, std::int32_t e, const RodBody& j, std::int32_t link,
                    const RodEdgeContact& c) {
  if (!is_at_vertex(c.s)) return false;
  const auto [low, high] = i.mesh.edges[at(e)];
  const Vec3d p = i.position(c.s < 0.5 ? low : high), a = j.a[at(link)], b = j.b[at(link)];
  double distance = 0;
  const Vec3d away = direction_or(p - a - closest_on_segment(p, a, b) * (b - a), {}, &distance);
  const double side = c.distance < 0 ? -1 : 1;
  return norm(side * away - c.normal) < kSameNormal &&
         side * distance <= c.distance + kAsNear * norm(i.position(high) - i.position(low));
}

/// Depth in i of a link that enters the surface and leaves it again between its ends [m].
double pierced_depth(const SoftBody& i, const RodBody& j, std::int32_t link,
                     std::vector<Crossing>* crossings) {
  const Vec3d a = j.a[at(link)], b = j.b[at(link)];
  const double radius = j.rod.radius_m;
  crossings->clear();
  i.tree.for_each_overlap(j.boxes[at(link)], [&](std::int32_t place) {
    MovingTriangle triangle;
    for (std::size_t k = 0; k < 3; ++k)
      triangle.now[k] = triangle.end[k] = i.position(i.mesh.triangles[at(i.tree.item(place))][k]);
    find_crossings(a, b, triangle, crossings);
  });
  std::sort(crossings->begin(), crossings->end(),
            [](const Crossing& c, const Crossing& d) { return c.time < d.time; });
  double depth = 0;
  for (std::size_t k = 1; k < crossings->size(); ++k) {
    const Vec3d middle = a + 0.5 * ((*crossings)[k - 1].time + (*crossings)[k].time) * (b - a);
    SurfaceHit hit;
    std::int64_t n_test = 0;
    if (i.find_closest(middle, HUGE_VAL, HUGE_VAL, nullptr, &hit, &n_test) && hit.distance < 0)
      depth = std::max(depth, radius + i.extent.thickness - hit.distance);
  }
  return depth;
}

}  // namespace

bool find_rod_edge(const SoftBody& i, std::int32_t e, const RodBody& j, std::int32_t link,
                   double reach, RodEdgeContact* contact, std::int64_t* n_test) {
  ++*n_test;
  const auto [low, high] = i.mesh.edges[at(e)];
  const Vec3d a0 = i.position(low), a1 = i.position(high), b0 = j.a[at(link)], b1 = j.b[at(link)];
  SegmentPoints c;
  if (!find_crossing(a0, a1, b0, b1, &c) || !(c.squared_distance < reach * reach)) return false;
  const auto around = i.mesh.triangles_of_edge(e);
  const Vec3d outwards = i.normal[at(around[0])] + i.normal[at(around[1])];
  double length = 0;
  // An axis that crosses the edge is outside.
  Vec3d inwards = direction_or(cross(a1 - a0, b1 - b0), {}, &length);
  if (dot(inwards, outwards) > 0) inwards = -inwards;
  double distance = 0;
  Vec3d normal = direction_or(c.on_a - c.on_b, inwards, &distance);
  if (!(squared_norm(normal) > 0)) return false;
  if (i.mesh.is_closed && dot(normal, outwards) > 0) {
    if (!is_nearest_outwards(i, c.on_b, distance, normal, n_test)) return false;
    normal = -normal;
    distance = -distance;
  }
  *contact = {c.s, c.on_a, c.on_b, distance, normal};
  return true;
}

void find_edges_on_rod(const SoftBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                       const PairSearch& search) {
  const double thickness = i.extent.thickness + j.rod.radius_m;
  const double reach = thickness + farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  const std::size_t first = search.out->size();
  search.counters->queries += end - begin;
  for_each_near_rod_edge(i, j, begin, end, reach, [&](std::int32_t e, std::int32_t link) {
    RodEdgeContact c;
    if (!find_rod_edge(i, e, j, link, reach, &c, &search.counters->distance_tests)) return;
    if (!search.carries(PairRule::edge, e, link) && vertex_carries(i, e, j, link, c)) return;
    const BodyPoint point_j = j.body_point(link, c.on_axis, c.normal);
    search.add(PairRule::edge, e, link, i.body_point_on_edge(e, c.s, c.on_edge), point_j,
               c.distance - thickness, c.normal, i.velocity_on_edge(e, c.s),
               j.velocity(link, point_j.position));
  });
  keep_one_beside_vertices(search, first);
}

double rod_edges_depth(const SoftBody& i, const RodBody& j) {
  const double reach = i.extent.thickness + j.rod.radius_m;
  double depth = 0;
  for_each_near_rod_edge(i, j, 0, j.rod.n_link, reach, [&](std::int32_t e, std::int32_t link) {
    RodEdgeContact c;
    std::int64_t n_test = 0;
    if (find_rod_edge(i, e, j, link, reach, &c, &n_test))
      depth = std::max(depth, reach - c.distance);
  });
  if (!i.mesh.is_closed || j.rod.contact == RodContact::link_centres) return depth;
  std::vector<Crossing> crossings;
  for (std::int32_t link = 0; link < j.rod.n_link; ++link)
    if (!j.boxes[at(link)].is_empty())
      depth = std::max(depth, pierced_depth(i, j, link, &crossings));
  return depth;
}

}  // namespace nodia
