/// Searches for contact pairs between two bodies.
#include "host/collision/pair_search.hpp"

#include <algorithm>
#include <tuple>

#include "host/collision/index.hpp"
#include "host/collision/shape_points.hpp"
#include "host/collision/shape_union.hpp"
#include "kernels/core/splitmix.hpp"

namespace nodia {
namespace {

auto order_of(const SurfacePair& p) {
  return std::make_tuple(p.surface_i, p.surface_j, p.rule, p.feature_i, p.feature_j);
}

/// The edges of a curved face of a mesh are bent by few degrees: with a larger tolerance many edges
/// would form pairs at one place.
constexpr EdgeTolerance kOfMeshes{0.01, 0.02};

/// False if a corner of i is not closest to j: an edge from it leads to points that are closer to
/// the edge or corner of j that is closest to it. The corner then passes beside j, and its contact
/// would stop it there. A face of j is a barrier for the corner in any case.
/// @param foot, normal  closest point of j, and its normal there
bool is_locally_closest(const ShapeBody& i, const ShapePoint& corner, const ShapeBody& j,
                        Vec3d foot, Vec3d normal) {
  const Shape& shape = i.surface.shape;
  const Vec3d towards = -transpose_times(i.pose.rotation, normal);
  return with_row(shape.kind, [&](auto row) { return row.is_closest(shape, corner, towards); }) ||
         is_on_face(j.surface.shape, j.pose.to_local(foot),
                    transpose_times(j.pose.rotation, normal));
}

/// Adds the pairs of a point of i with the faces of a mesh j that stop it beside its closest point.
/// @param centre, d  of the point in world axes
void add_concave_faces(const ShapeBody& i, const ShapePoint& point, Vec3d centre,
                       const SurfaceDistance& d, const ShapeBody& j, double reach,
                       const PairSearch& search) {
  for (const NearFace& f :
       search.barriers({centre, i.pose.rotation * point.outward, d}, j, reach)) {
    const Vec3d on_i = centre - point.radius * f.normal, on_j = centre - f.height * f.normal;
    search.add(PairRule::face, point.feature, f.triangle, i.body_point(on_i), j.body_point(on_j),
               f.height - point.radius, f.normal, i.velocity(on_i), j.velocity(on_j));
  }
}

bool is_near_any(const std::vector<Vec3d>& points, Vec3d p, double distance) {
  return std::any_of(points.begin(), points.end(),
                     [&](Vec3d other) { return norm(other - p) < distance; });
}

/// Calls visit(point) for the points of a cylinder's rims that are lowest over the faces of a mesh
/// j in a concave place. @param reach  of points of the rims
template <class Distance, class Visit>
void for_each_rim_point_over_faces(const ShapeBody& i, const ShapeBody& j, double reach,
                                   const PairSearch& search, const Distance& distance,
                                   const Visit& visit) {
  const Shape& cylinder = i.surface.shape;
  for (const std::int32_t rim : {0, 1}) {
    const double up = rim == 0 ? -1 : 1;
    const Vec3d middle{0, 0, 0.5 * up * cylinder.length};
    const Vec3d centre = i.pose.to_world(middle);
    SurfaceDistance d = distance(middle);
    d.normal = i.pose.rotation * d.normal;
    const std::vector<NearFace> faces =
        search.barriers({centre, {}, d}, j, reach + cylinder.radius);
    const auto visit_towards = [&](Vec3d normal, std::int32_t feature) {
      const Vec3d down = -transpose_times(i.pose.rotation, normal);
      visit(rim_point(cylinder, kUnionFeature * feature + rim, std::atan2(down.y, down.x), up));
    };
    if (!faces.empty()) visit_towards(d.normal, 2);
    for (const NearFace& f : faces) visit_towards(f.normal, 3 + f.triangle);
  }
}

/// Finds pairs of points of shape i by the distance of j.
void find_points_on_shape(const ShapeBody& i, const ShapeBody& j, const PairSearch& search) {
  const auto local = [&](const SurfaceDistance& d) {
    return SurfaceDistance{d.distance, transpose_times(i.pose.rotation, d.normal)};
  };
  const double farthest = farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  const double round = std::max(i.surface.shape.radius, i.surface.shape.tube_radius);
  const auto distance = [&](Vec3d p) {
    ++search.counters->distance_tests;
    return local(j.distance(i.pose.to_world(p), farthest + round));
  };
  const auto add = [&](const ShapePoint& point) {
    const double reach = farthest + point.radius;
    const Vec3d centre = i.pose.to_world(point.centre);
    if (!j.bounds.is_near(j.pose.to_local(centre), reach)) return;
    ++search.counters->distance_tests;
    SurfaceDistance d;
    const bool has_tunnelled = search.has_tunnelled(point.feature);
    if (has_tunnelled)
      d = j.distance(centre, reach);
    else if (!j.distance_facing(centre, i.pose.rotation * point.outward, reach, &d))
      return;
    if (d.distance > reach) return;
    if (j.surface.mesh_trees != nullptr) add_concave_faces(i, point, centre, d, j, reach, search);
    const Vec3d on_i = centre - point.radius * d.normal;
    const Vec3d on_j = centre - d.distance * d.normal;
    if (!has_tunnelled && d.distance > 0 && !is_locally_closest(i, point, j, on_j, d.normal))
      return;
    search.add(PairRule::point, point.feature, 0, i.body_point(on_i), j.body_point(on_j),
               d.distance - point.radius, d.normal, i.velocity(on_i), j.velocity(on_j));
  };
  const Shape& shape = i.surface.shape;
  std::vector<Vec3d> known;
  std::vector<std::int32_t> group;
  if (search.shape_union != nullptr && !keeps_features(shape))
    search.shape_union->list_near(*search.bodies, search.surface_j, i.pose.position,
                                  i.bounds.radius() + search.reach.margin_m, &group);
  const bool is_over_faces = j.surface.mesh_trees != nullptr && shape.kind == ShapeKind::cylinder;
  for_each_contact_point(shape, distance, [&](const ShapePoint& point) {
    if (group.size() > 1 || is_over_faces) known.push_back(point.centre);
    add(point);
  });
  if (is_over_faces) {
    for_each_rim_point_over_faces(i, j, farthest, search, distance, [&](const ShapePoint& point) {
      constexpr double kSameShare = 1e-3;  // of the radius; the angle of the others is inexact
      if (!is_near_any(known, point.centre, kSameShare * shape.radius)) add(point);
    });
  }
  if (group.size() <= 1) return;
  // A round edge on several shapes: the points that it has on their union support it, too.
  const auto union_distance = [&](Vec3d p) {
    SurfaceDistance least{HUGE_VAL, {}};
    for (const std::int32_t k : group) {
      ++search.counters->distance_tests;
      const SurfaceDistance d = search.shape_union->distance(*search.bodies, k, i.pose.to_world(p));
      if (d.distance < least.distance) least = d;
    }
    return local(least);
  };
  for_each_contact_point(shape, union_distance, [&](ShapePoint point) {
    constexpr double kSamePlace = 1e-9;  // [m]
    point.feature += kUnionFeature;
    if (!is_near_any(known, point.centre, kSamePlace)) add(point);
  });
}

/// EndPairs of an edge of `surface` with `other`.
auto ends_with(FoundPairs found, std::int32_t surface, std::int32_t other, PairRule rule,
               const std::array<std::int32_t, 2>& ends) {
  return [=](int k) {
    const SurfacePair* pair =
        found_pair(found, surface, other, rule, ends[static_cast<std::size_t>(k)]);
    return pair ? EndPair{pair->gap_m, pair->normal} : EndPair{};
  };
}

/// Combines two pairs of touching corners, each with a face normal of the other body: sets the gap
/// along the mean of the normals. Does nothing if the normals are equal.
void take_mean_normal(const SurfacePair& other, SurfacePair* pair) {
  constexpr double kEqual = 1e-9;  // cosine
  if (dot(pair->normal, other.normal) > 1 - kEqual) return;
  const Vec3d sum = pair->normal + other.normal;
  pair->gap_m = (pair->gap_m + other.gap_m) / norm(sum);
  pair->normal = (1 / norm(sum)) * sum;
}

/// Adds the pair of edge e of i and edge f of j.
void add_edge_contact(const SoftBody& i, const SoftBody& j, const EdgeSearch& edges, std::int32_t e,
                      std::int32_t f, const EdgeContact& c, const PairSearch& search) {
  search.add(PairRule::edge, e, f, i.body_point_on_edge(e, c.s, c.on_i),
             j.body_point_on_edge(f, c.t, c.on_j), gap_of(edges, c), c.normal,
             edges.i.velocity(e, c.s, DirectMemory{}), edges.j.velocity(f, c.t, DirectMemory{}));
}

}  // namespace

SolidEdge world_edge(const ShapeBody& body, const SolidEdge& local) {
  SolidEdge edge = local;
  edge.a = body.pose.to_world(edge.a);
  edge.b = body.pose.to_world(edge.b);
  for (int k = 0; k < 2; ++k) {
    edge.inward[k] = body.pose.rotation * edge.inward[k];
    edge.normal[k] = body.pose.rotation * edge.normal[k];
  }
  return edge;
}

double shorter_length(const SolidEdge& i, const SolidEdge& j) {
  return std::min(norm(i.b - i.a), norm(j.b - j.a));
}

bool PairSearch::carries(PairRule rule, std::int32_t feature_i, std::int32_t feature_j) const {
  const std::uint64_t key = key_of(surface_i, surface_j, rule, feature_i, feature_j);
  const auto found =
      std::lower_bound(forces.begin(), forces.end(), key,
                       [](const KeyedForce& force, std::uint64_t k) { return force.first < k; });
  return found != forces.end() && found->first == key && found->second.x > 0;
}

bool PairSearch::has_tunnelled(std::int32_t point) const {
  return std::any_of(tunnelled.begin(), tunnelled.end(), [&](const MissedTunnelling& t) {
    return t.surface_i == surface_i && t.surface_j == surface_j &&
           std::find(t.points.begin(), t.points.end(), point) != t.points.end();
  });
}

std::uint64_t key_of(std::int32_t surface_i, std::int32_t surface_j, PairRule rule,
                     std::int32_t feature_i, std::int32_t feature_j) {
  const auto pack = [](std::int32_t high, std::int32_t low) {
    return static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32 |
           static_cast<std::uint32_t>(low);
  };
  // The feature on which a vertex or a point slides is not part of the pair's identity.
  const bool slides = rule == PairRule::node || rule == PairRule::vertex || rule == PairRule::point;
  const std::uint64_t features = pack(feature_i, slides ? 0 : feature_j);
  return splitmix64(splitmix64(splitmix64(pack(surface_i, surface_j)) ^ features) ^
                    static_cast<std::uint64_t>(rule));
}

const SurfacePair* found_pair(FoundPairs found, std::int32_t surface_i, std::int32_t surface_j,
                              PairRule rule, std::int32_t feature) {
  const auto key = std::make_tuple(surface_i, surface_j, rule, feature);
  const auto key_of_pair = [](const SurfacePair& p) {
    return std::make_tuple(p.surface_i, p.surface_j, p.rule, p.feature_i);
  };
  const auto first =
      std::lower_bound(found.begin(), found.end(), key,
                       [&](const SurfacePair& p, const auto& k) { return key_of_pair(p) < k; });
  return first == found.end() || key_of_pair(*first) != key ? nullptr : &*first;
}

void PairSearch::add(PairRule rule, std::int32_t feature_i, std::int32_t feature_j,
                     const BodyPoint& i, const BodyPoint& j, double gap, Vec3d normal,
                     const PointMotion& v_i, const PointMotion& v_j) const {
  const PairSides sides{surface_i == surface_j, i_is_prescribed, j_is_prescribed};
  const double margin = rule == PairRule::face ? face_margin() : reach.margin_m;
  if (!takes_all && !is_within_reach(gap, normal, v_i, v_j, sides, {margin, reach.step_s})) return;
  SurfacePair& pair = out->emplace_back();
  pair.i = i;
  pair.j = j;
  pair.gap_m = gap;
  pair.normal = normal;
  if (i_is_prescribed) pair.surface_velocity = v_i.now;
  if (j_is_prescribed) pair.surface_velocity = v_j.now;
  pair.surface_i = surface_i;
  pair.surface_j = surface_j;
  pair.rule = rule;
  pair.feature_i = feature_i;
  pair.feature_j = feature_j;
  pair.key = key_of(surface_i, surface_j, rule, feature_i, feature_j);
}

SurfacePair swapped(const SurfacePair& pair) {
  SurfacePair other = pair;
  std::swap(other.i, other.j);
  std::swap(other.surface_i, other.surface_j);
  std::swap(other.feature_i, other.feature_j);
  other.normal = -pair.normal;
  other.key =
      key_of(other.surface_i, other.surface_j, other.rule, other.feature_i, other.feature_j);
  return other;
}

bool comes_before(const SurfacePair& a, const SurfacePair& b) {
  return order_of(a) < order_of(b);
}

void add_vertex_hit(const SoftBody& i, const SoftBody& j, std::int32_t vertex,
                    const SurfaceHit& hit, const PairSearch& search) {
  search.add(PairRule::vertex, vertex, hit.triangle, i.body_point(vertex), j.body_point(hit),
             hit.distance - (i.extent.thickness + j.extent.thickness), hit.normal, i.v[at(vertex)],
             j.velocity(hit));
}

void find_vertices_on_soft(const SoftBody& i, const SoftBody& j, std::int32_t begin,
                           std::int32_t end, const PairSearch& search) {
  const bool is_self = &i == &j;
  const SoftSurface own = i.surface(), other = j.surface();
  ProximityCounters& counters = *search.counters;
  counters.queries += end - begin;
  for (std::int32_t vertex = begin; vertex < end; ++vertex) {
    SurfaceHit hit;
    const auto find = [&](const auto& nearest) {
      return find_vertex_hit(own, i.extent, vertex, other, j.extent, is_self, search.reach, nearest,
                             &hit, DirectMemory{});
    };
    const bool found = is_self ? find(j.nearest_to_vertex(vertex, &counters.distance_tests))
                               : find(j.nearest_to(i.position(vertex), &counters.distance_tests));
    if (found) add_vertex_hit(i, j, vertex, hit, search);
  }
}

void find_vertices_on_shape(const SoftBody& i, const ShapeBody& j, std::int32_t begin,
                            std::int32_t end, const PairSearch& search) {
  const double thickness = i.extent.thickness;
  for (std::int32_t vertex = begin; vertex < end; ++vertex) {
    const Vec3d p = i.position(vertex);
    if (!is_finite(p)) continue;
    const PointMotion& v = i.v[at(vertex)];
    const double reach =
        thickness + farthest_gap(search.reach, approach_bound(v, i.extent, j.extent));
    ++search.counters->queries;
    if (!j.bounds.is_near(j.pose.to_local(p), reach)) continue;
    ++search.counters->distance_tests;
    const SurfaceDistance d = j.distance(p, reach);
    const Vec3d foot = p - d.distance * d.normal;
    search.add(PairRule::vertex, vertex, 0, i.body_point(vertex), j.body_point(foot),
               d.distance - thickness, d.normal, v, j.velocity(foot));
  }
}

SurfaceHit hit_of(const NearFace& f) {
  return {f.triangle, f.foot.weight, f.foot.point, f.height, f.normal};
}

void find_shape_points_on_soft(const ShapeBody& i, const SoftBody& j, const PairSearch& search) {
  const double speed = approach_bound(i.extent, j.extent), thickness = thickness_at(j, i);
  // A prescribed shape may be inside a body from the start, where only nodes touch it.
  const double depth = i.surface.prescribed ? j.edge_depth : j.depth;
  SurfaceHit hit;
  const auto add = [&](PairRule rule, const ShapePoint& point, Vec3d centre,
                       const SurfaceHit& at_j) {
    const Vec3d on_i = centre - point.radius * at_j.normal;
    search.add(rule, point.feature, at_j.triangle, i.body_point(on_i), j.body_point(at_j),
               at_j.distance - point.radius - thickness, at_j.normal, i.velocity(on_i),
               j.velocity(at_j));
  };
  for_each_sharp_point(i.surface.shape, [&](const ShapePoint& point) {
    const Vec3d centre = i.pose.to_world(point.centre);
    const Vec3d facing = i.pose.rotation * point.outward;
    const double reach = point.radius + thickness + farthest_gap(search.reach, speed);
    if (!(j.extent.box.squared_distance(centre) <= reach * reach)) return;
    ++search.counters->queries;
    if (!j.find_closest(centre, reach, depth, &facing, &hit, &search.counters->distance_tests)) {
      return;
    }
    add(PairRule::point, point, centre, hit);
    for (const NearFace& f :
         search.barriers({centre, facing, {hit.distance, hit.normal}}, j, reach))
      add(PairRule::face, point, centre, hit_of(f));
  });
}

void find_shape_pairs(const ShapeBody& i, const ShapeBody& j, const PairSearch& search) {
  std::vector<SurfacePair>& out = *search.out;
  const std::size_t first = out.size();
  find_points_on_shape(i, j, search);
  const std::size_t n_forward = out.size();
  PairSearch back = search;
  std::swap(back.surface_i, back.surface_j);
  std::swap(back.i_is_prescribed, back.j_is_prescribed);
  find_points_on_shape(j, i, back);

  // Detects duplicates: both points of a contact from either side, or two points of a shape. Two
  // contacts of different normals at one position could not both stick; if edges touch along their
  // length, the mean normal is used.
  constexpr double kSamePlace = 1e-9;  // [m]
  const double same_place =
      std::max(kSamePlace, std::min(near_edge(i.surface.shape), near_edge(j.surface.shape)));
  const auto same = [&](const SurfacePair& a, const SurfacePair& b) {
    return norm(a.i.position - b.i.position) < same_place &&
           norm(a.j.position - b.j.position) < same_place && dot(a.normal, b.normal) > 0.5;
  };
  std::size_t kept = n_forward;
  for (std::size_t k = n_forward; k < out.size(); ++k) {
    const SurfacePair forward = swapped(out[k]);
    const auto end = out.begin() + static_cast<std::ptrdiff_t>(n_forward);
    const auto known = std::find_if(out.begin() + static_cast<std::ptrdiff_t>(first), end,
                                    [&](const SurfacePair& p) { return same(p, forward); });
    if (known == end) {
      out[kept++] = out[k];
    } else {
      take_mean_normal(forward, &*known);
    }
  }
  out.resize(kept);

  if (n_edge(i.surface.shape) == 0 || n_edge(j.surface.shape) == 0) return;
  const std::size_t n_point = out.size();
  const auto points_coincide = [&](const SurfacePair& p) {
    return std::any_of(
        out.begin() + static_cast<std::ptrdiff_t>(first),
        out.begin() + static_cast<std::ptrdiff_t>(n_point),
        [&](const SurfacePair& q) { return same(q.surface_i == p.surface_i ? q : swapped(q), p); });
  };
  const double deepest = std::min(edge_depth(i.surface.shape), edge_depth(j.surface.shape));
  const double reach = farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  const bool any_mesh = i.surface.shape.kind == ShapeKind::distance_grid ||
                        j.surface.shape.kind == ShapeKind::distance_grid;
  const EdgeTolerance within = any_mesh ? kOfMeshes : EdgeTolerance{};
  const auto test = [&](std::int32_t e, const SolidEdge& edge_i, std::int32_t f,
                        const SolidEdge& local_j) {
    ++search.counters->distance_tests;
    SegmentPoints points;
    if (!find_crossing(edge_i.a, edge_i.b, j.pose.to_world(local_j.a), j.pose.to_world(local_j.b),
                       &points)) {
      return;
    }
    const SolidEdge edge_j = world_edge(j, local_j);
    EdgeContact c;
    if (!find_edge_contact(edge_i, edge_j, points, &c, within) || c.distance < -deepest) return;
    if (!is_real(c, shorter_length(edge_i, edge_j), i, j)) return;
    search.add(PairRule::edge, e, f, i.body_point(c.on_i), j.body_point(c.on_j), c.distance,
               c.normal, i.velocity(c.on_i), j.velocity(c.on_j));
    if (out.size() > n_point && out.back().rule == PairRule::edge && out.back().feature_i == e &&
        out.back().feature_j == f && points_coincide(out.back())) {
      out.pop_back();
    }
  };
  const Bounds box_j = Bounds{j.bounds.lo, j.bounds.hi}.grown(std::max(reach, deepest));
  i.for_each_edge(seen_from(i.pose, box_j, j.pose), [&](std::int32_t e, const SolidEdge& local_i) {
    const SolidEdge edge_i = world_edge(i, local_i);
    const Vec3d a = j.pose.to_local(edge_i.a), b = j.pose.to_local(edge_i.b);
    const double half = 0.5 * norm(b - a);
    const double lowest = signed_distance(j.surface.shape, 0.5 * (a + b), reach).distance - half;
    if (lowest > reach) return;
    // An edge that is at most this deep overlaps another edge by more only if that one is a blade.
    constexpr double kBlade = 4;
    const double near = std::max(reach, std::min(deepest, -kBlade * lowest));
    j.for_each_edge(bounds_of_points(a, b).grown(near),
                    [&](std::int32_t f, const SolidEdge& local_j) { test(e, edge_i, f, local_j); });
  });
}

void find_soft_edges(const SoftBody& i, const SoftBody& j, FoundPairs found,
                     const PairSearch& search) {
  const bool is_self = &i == &j;
  const SoftSurface surface_i = i.surface(), surface_j = j.surface();
  const SoftEdges edges_i = i.edges(), edges_j = j.edges();
  const double depth = std::min(i.edge_depth, j.edge_depth);
  const double reach = edge_reach(i.extent, j.extent, depth, search.reach);
  const EdgeSearch edges{{surface_i, edges_i}, {surface_j, edges_j}, is_self, depth, reach};
  const auto test = [&](std::int32_t e, std::int32_t f) {
    ++search.counters->distance_tests;
    EdgeContact c;
    const auto end_i = ends_with(found, search.surface_i, search.surface_j, PairRule::vertex,
                                 i.mesh.edges[at(e)]),
               end_j = ends_with(found, search.surface_j, search.surface_i, PairRule::vertex,
                                 j.mesh.edges[at(f)]);
    if (!find_soft_edge_pair(edges, e, f, end_i, end_j, i, j, &c, DirectMemory{})) return;
    add_edge_contact(i, j, edges, e, f, c, search);
  };
  // Sharp edges of one against all edges of the other; a pair of two sharp edges is tested once.
  const auto sweep = [&](const SoftBody& sharp, const SoftBody& other, bool is_swapped) {
    for (std::size_t k = 0; k < sharp.sharp_edges.size(); ++k) {
      const std::int32_t e = sharp.sharp_edges[k];
      const Bounds box = sharp.edge_box(e).grown(reach);
      if (box.is_empty() || !box.overlaps(other.extent.box)) continue;
      if (sharp.boxes[at(sharp.mesh.triangles_of_edge(e)[0])].is_empty()) continue;
      ++search.counters->queries;
      const auto visit = [&](std::int32_t place) {
        const std::int32_t t = other.tree.item(place);
        for (const std::int32_t f : other.mesh.triangle_edges[at(t)]) {
          const auto around = other.mesh.triangles_of_edge(f);
          if (around.size() != 2 || around[0] != t || !box.overlaps(other.edge_box(f))) continue;
          const bool both_sharp = other.is_sharp[at(f)] != 0;
          if (is_self) {
            if (!both_sharp || e < f) test(std::min(e, f), std::max(e, f));
          } else if (!is_swapped) {
            test(e, f);
          } else if (!both_sharp) {
            test(f, e);
          }
        }
      };
      if (is_self)
        other.tree.for_each_overlap(box, other.others_of_edge.of(static_cast<std::int32_t>(k)),
                                    visit);
      else
        other.tree.for_each_overlap(box, visit);
    }
  };
  if (!i.mesh.is_closed || !j.mesh.is_closed) return;
  const std::size_t first = search.out->size();
  sweep(i, j, false);
  if (!is_self) sweep(j, i, true);
  std::sort(search.out->begin() + static_cast<std::ptrdiff_t>(first), search.out->end(),
            comes_before);
}

void add_found_edges(const SoftBody& i, const SoftBody& j, std::int32_t e, std::int32_t f,
                     const PairSearch& search) {
  const SoftSurface surface_i = i.surface(), surface_j = j.surface();
  const SoftEdges edges_i = i.edges(), edges_j = j.edges();
  const EdgeSearch edges{{surface_i, edges_i}, {surface_j, edges_j}, &i == &j, HUGE_VAL, HUGE_VAL};
  EdgeContact c;
  if (find_soft_edge_contact(edges, e, f, &c, DirectMemory{}))
    add_edge_contact(i, j, edges, e, f, c, search);
}

}  // namespace nodia
