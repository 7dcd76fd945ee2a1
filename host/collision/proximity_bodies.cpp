/// Surfaces of a search: update to a state, and queries.
#include "host/collision/proximity_bodies.hpp"

#include <numbers>

#include "host/collision/index.hpp"
#include "host/collision/shape_points.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

constexpr double kSharp = 0.8660254037844386;  // cosine of 30 degrees

Vec3d finite_or_zero(Vec3d u) {
  return is_finite(u) ? u : Vec3d{};
}

/// Bounds on the velocities of the points of a frame within `radius` of its origin [m/s].
Bounds velocities_of(const FrameTwist& twist, double radius) {
  const double spin = norm(twist.angular);
  Bounds box;
  box.add(twist.linear);
  return spin > 0 ? box.grown(spin * radius) : box;
}

FrameTwist finite_or_zero(const FrameTwist& twist) {
  return {finite_or_zero(twist.linear), finite_or_zero(twist.angular)};
}

PointMotion node_motion(const ProximityState& state, std::size_t node) {
  const Vec3d now = state.v[node];
  return finite_motion(now, state.v_free.empty() ? now : state.v_free[node]);
}

FrameMotion frame_motion(const ProximityState& state, std::size_t frame) {
  const FrameTwist now = finite_or_zero(state.twist[frame]);
  if (state.twist_free.empty()) return {now, now};
  const FrameTwist& free = state.twist_free[frame];
  return {now, is_finite(free.linear) && is_finite(free.angular) ? free : now};
}

/// Bounds on the velocities in both motions, for points within `radius` of the origin [m/s].
Bounds velocities_of(const FrameMotion& motion, double radius) {
  Bounds box = velocities_of(motion.now, radius);
  box.add(velocities_of(motion.free, radius));
  return box;
}

}  // namespace

SoftBody::SoftBody(SurfaceMesh surface, int first, const SoftSurfaceOptions& o)
    : mesh(std::move(surface)), first_node(first), options(o) {
  const double edge = mesh.mean_edge_length();
  depth = options.depth_m > 0 ? options.depth_m : 2 * edge;
  self_depth = options.self_depth_m > 0 ? options.self_depth_m : 0.5 * edge;
  edge_depth = std::min(depth, 0.5 * edge);
  for (const auto& [low, high] : mesh.edges)
    longest_edge = std::max(longest_edge, norm(mesh.rest[at(high)] - mesh.rest[at(low)]));
  extent.thickness = options.thickness_m;
  x = mesh.rest;
  v.resize(x.size());
  normal.resize(mesh.triangles.size());
  boxes.resize(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& [a, b, c] = mesh.triangles[t];
    normal[t] = triangle_normal(position(a), position(b), position(c));
    boxes[t] = bounds_of_points(position(a), position(b), position(c));
  }
  tree = BoundsTree(boxes);
  is_sharp.assign(mesh.edges.size(), 0);
  for (std::int32_t e = 0; e < mesh.n_edge(); ++e) {
    const auto around = mesh.triangles_of_edge(e);
    if (around.size() != 2 || !mesh.is_closed) continue;
    if (dot(normal[at(around[0])], normal[at(around[1])]) > kSharp) continue;
    if (!is_convex(solid_edge(e))) continue;
    is_sharp[at(e)] = 1;
    sharp_edges.push_back(e);
  }
}

void SoftBody::update(const ProximityState& state) {
  extent.velocities = {};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t node = at(first_node + mesh.nodes[i]);
    x[i] = state.x[node];
    v[i] = node_motion(state, node);
    if (!is_finite(x[i])) continue;
    extent.velocities.add(v[i].now);
    extent.velocities.add(v[i].free);
  }
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const auto& corners = mesh.triangles[t];
    const Vec3d a = position(corners[0]), b = position(corners[1]), c = position(corners[2]);
    boxes[t] = bounds_of_points(a, b, c);
    normal[t] = triangle_normal(a, b, c);
  }
  tree.refit(boxes);
  extent.box = tree.bounds();
}

BodyExtent SoftBody::extent_in(const ProximityState& state) const {
  BodyExtent found = extent;
  found.box = {};
  found.velocities = {};
  for (const std::int32_t of_body : mesh.nodes) {
    const std::size_t node = at(first_node + of_body);
    if (!is_finite(state.x[node])) continue;
    const PointMotion motion = node_motion(state, node);
    found.box.add(state.x[node]);
    found.velocities.add(motion.now);
    found.velocities.add(motion.free);
  }
  return found;
}

bool SoftBody::prepare_self_contact(double margin_m) {
  const double radius = 2 * std::max(margin_m + 2 * options.thickness_m, self_depth);
  if (radius == exclusion) return false;
  exclusion = radius;
  std::vector<Bounds> rest_boxes;
  const auto rest = [&](std::int32_t vertex) { return mesh.rest[at(vertex)]; };
  for (const auto& [a, b, c] : mesh.triangles) {
    rest_boxes.push_back(bounds_of_points(rest(a), rest(b), rest(c)));
  }
  const BoundsTree rest_tree(rest_boxes);
  excluded_begin.assign(1, 0);
  excluded.clear();
  for (std::int32_t vertex = 0; vertex < mesh.n_vertex(); ++vertex) {
    const auto begin = static_cast<std::ptrdiff_t>(excluded.size());
    const Bounds near = bounds_of_points(rest(vertex)).grown(radius);
    rest_tree.for_each_overlap(near, [&](std::int32_t place) {
      const std::int32_t t = rest_tree.item(place);
      const auto& [a, b, c] = mesh.triangles[at(t)];
      const double d2 =
          closest_on_triangle(rest(vertex), rest(a), rest(b), rest(c)).squared_distance;
      if (d2 < radius * radius || vertex == a || vertex == b || vertex == c) excluded.push_back(t);
    });
    std::sort(excluded.begin() + begin, excluded.end());
    excluded_begin.push_back(static_cast<std::int32_t>(excluded.size()));
  }
  others = tree.cuts(excluded_begin, excluded);

  std::vector<std::int32_t> begin(1, 0), near;
  const SoftEdges own = edges();
  for (const std::int32_t e : sharp_edges) {
    const auto first = static_cast<std::ptrdiff_t>(near.size());
    const auto [a, b] = mesh.edges[at(e)];
    const Bounds box = bounds_of_points(rest(a), rest(b)).grown(radius);
    rest_tree.for_each_overlap(box, [&](std::int32_t place) {
      const std::int32_t t = rest_tree.item(place);
      const auto& edges = mesh.triangle_edges[at(t)];
      const bool all = std::all_of(edges.begin(), edges.end(),
                                   [&](std::int32_t f) { return own.are_near_at_rest(e, f); });
      if (all) near.push_back(t);
    });
    std::sort(near.begin() + first, near.end());
    begin.push_back(static_cast<std::int32_t>(near.size()));
  }
  others_of_edge = tree.cuts(begin, near);
  return true;
}

SoftSurface SoftBody::surface() const {
  SoftSurface s = view_of(mesh);
  s.thickness_m = options.thickness_m;
  s.depth_m = depth;
  s.self_depth_m = self_depth;
  s.left_out_begin = excluded_begin.data();
  s.left_out = excluded.data();
  s.x = x.data();
  s.v = v.data();
  s.normal = normal.data();
  return s;
}

SoftEdges SoftBody::edges() const {
  SoftEdges e;
  e.end = mesh.edges.empty() ? nullptr : mesh.edges.front().data();
  e.n_sharp = static_cast<std::int32_t>(sharp_edges.size());
  e.sharp = sharp_edges.data();
  e.rest = mesh.rest.data();
  e.depth_m = edge_depth;
  e.exclusion_m = exclusion;
  return e;
}

bool SoftBody::find_closest(Vec3d p, double reach, double search_depth, const Vec3d* facing,
                            SurfaceHit* hit, std::int64_t* n_test) const {
  return surface().find_closest(p, reach, search_depth, extent.box, facing, nearest_to(p, n_test),
                                hit, DirectMemory{});
}

void SoftBody::list_faces(Vec3d p, double reach, std::vector<NearFace>* out) const {
  out->clear();
  Bounds near;
  near.add(p);
  tree.for_each_overlap(near.grown(reach), [&](std::int32_t place) {
    const std::int32_t t = tree.item(place);
    const auto& [a, b, c] = mesh.triangles[at(t)];
    add_near_face(p, reach, t, {position(a), position(b), position(c)}, mesh.triangle_edges[at(t)],
                  normal[at(t)], out);
  });
}

PointMotion SoftBody::velocity(const SurfaceHit& hit) const {
  return surface().velocity(hit, DirectMemory{});
}

PointMotion SoftBody::velocity_on_edge(std::int32_t edge, double s) const {
  const SoftSurface own = surface();
  return EdgedSurface{own, edges()}.velocity(edge, s, DirectMemory{});
}

BodyPoint SoftBody::body_point(const SurfaceHit& hit) const {
  BodyPoint point;
  point.position = hit.point;
  for (int k = 0; k < 3; ++k) {
    if (!(hit.weight[k] > 0)) continue;
    const std::size_t slot = at(point.n_node++);
    point.node[slot] = first_node + mesh.nodes[at(mesh.triangles[at(hit.triangle)][at(k)])];
    point.weight[slot] = hit.weight[k];
  }
  return point;
}

BodyPoint SoftBody::body_point(std::int32_t vertex) const {
  BodyPoint point;
  point.n_node = 1;
  point.node[0] = first_node + mesh.nodes[at(vertex)];
  point.weight[0] = 1;
  point.position = position(vertex);
  return point;
}

BodyPoint SoftBody::body_point_on_edge(std::int32_t edge, double s, Vec3d position_on) const {
  BodyPoint point;
  point.n_node = 2;
  for (std::size_t k = 0; k < 2; ++k) {
    point.node[k] = first_node + mesh.nodes[at(mesh.edges[at(edge)][k])];
  }
  point.weight = {1 - s, s, 0};
  point.position = position_on;
  return point;
}

SolidEdge SoftBody::solid_edge(std::int32_t edge) const {
  const SoftSurface own = surface();
  return EdgedSurface{own, edges()}.solid_edge(edge, DirectMemory{});
}

bool SoftBody::contains(Vec3d p, double slack) const {
  std::int64_t n_test = 0;
  return surface().contains(p, slack, extent.box, nearest_to(p, &n_test), DirectMemory{});
}

Bounds SoftBody::edge_box(std::int32_t edge) const {
  const auto [low, high] = mesh.edges[at(edge)];
  return bounds_of_points(position(low), position(high));
}

RodBody::RodBody(const RodSurface& surface) : rod(surface) {
  const auto n = at(rod.n_link);
  a.resize(n);
  b.resize(n);
  centre.resize(n);
  motion.resize(n);
  boxes.resize(n);
  // Neighbours in the order are near each other, so the tree stays efficient while they move.
  for (std::size_t k = 0; k < n; ++k) {
    boxes[k] = bounds_of_points(Vec3d{static_cast<double>(k), 0, 0});
  }
  tree = BoundsTree(boxes);
  extent.thickness = rod.radius_m;
  const double half_turn = std::ceil(std::numbers::pi * rod.radius_m / rod.link_length_m);
  exclusion = static_cast<int>(std::clamp(1 + half_turn, 3.0, 1.0 + std::max(rod.n_link, 3)));
}

void RodBody::update(const ProximityState& state) {
  const double half = rod.contact == RodContact::segments ? 0.5 * rod.link_length_m : 0.0;
  extent.velocities = {};
  for (std::size_t k = 0; k < a.size(); ++k) {
    const std::size_t frame = at(rod.first_frame) + k;
    const Pose& pose = state.pose[frame];
    centre[k] = pose.position;
    a[k] = pose.to_world({0, 0, -half});
    b[k] = pose.to_world({0, 0, half});
    motion[k] = frame_motion(state, frame);
    boxes[k] = bounds_of_points(a[k], b[k]);
    if (boxes[k].is_empty()) continue;
    extent.velocities.add(velocities_of(motion[k], half + rod.radius_m));
  }
  tree.refit(boxes);
  extent.box = tree.bounds();
}

PointMotion RodBody::velocity(std::int32_t link, Vec3d point) const {
  return motion[at(link)].velocity_at(point, centre[at(link)]);
}

BodyPoint RodBody::body_point(std::int32_t link, Vec3d on_axis, Vec3d towards) const {
  BodyPoint point;
  point.kind = PointKind::frame;
  point.frame = rod.first_frame + link;
  point.position = on_axis;
  if (rod.contact == RodContact::segments) point.position += rod.radius_m * towards;
  return point;
}

int RodBody::n_point() const {
  return rod.contact == RodContact::segments ? rod.n_link + 1 : rod.n_link;
}

std::int32_t RodBody::link_of_point(std::int32_t point) const {
  return std::min(point, rod.n_link - 1);
}

Vec3d RodBody::point(std::int32_t point) const {
  return point < rod.n_link ? a[at(point)] : b[at(rod.n_link - 1)];
}

Bounds seen_from(const Pose& a, const Bounds& box, const Pose& b) {
  Bounds seen;
  for (int corner = 0; corner < 8; ++corner) {
    const Vec3d p{corner & 1 ? box.hi.x : box.lo.x, corner & 2 ? box.hi.y : box.lo.y,
                  corner & 4 ? box.hi.z : box.lo.z};
    seen.add(a.to_local(b.to_world(p)));
  }
  return seen;
}

ShapeBody::ShapeBody(const ShapeSurface& s) : surface(s), bounds(bounds_of(s.shape)) {
  extent.is_prescribed = s.prescribed;
}

Pose next_of(const ProximityState& state, std::int32_t frame, double step_s) {
  if (!state.pose_next.empty()) return state.pose_next[at(frame)];
  const FrameTwist& twist = state.twist[at(frame)];
  const Pose& now = state.pose[at(frame)];
  return {
      now.position + step_s * twist.linear,
      norm(twist.angular) > 0 ? rotation_exp(step_s * twist.angular) * now.rotation : now.rotation};
}

Pose ShapeBody::pose_at(const Pose& frame) const {
  return {frame.to_world(surface.in_frame.position), frame.rotation * surface.in_frame.rotation};
}

void ShapeBody::set_motion(const ProximityState& state, double step_s) {
  if (!surface.prescribed) return;
  prescribed = {};
  if (step_s > 0)
    prescribed = prepare_obstacle(
        {surface.shape, pose, pose_at(next_of(state, surface.frame, step_s))}, 0, {0, step_s});
}

PointMotion ShapeBody::velocity(Vec3d point) const {
  if (!surface.prescribed) return motion.velocity_at(point, origin);
  // Displacement over the step: for an arm r with rotation R, (R - 1) r/t = w x r + t/2 w x (w x r)
  // + O(t^2). The twist alone, w x r, would displace a stick point by t^2/2 |w x (w x r)| per step.
  const Vec3d v = prescribed.surface_velocity(pose.to_local(point));
  return {v, v};
}

void ShapeBody::update(const ProximityState& state) {
  const Pose& frame = state.pose[at(surface.frame)];
  origin = frame.position;
  pose = pose_at(frame);
  motion = frame_motion(state, at(surface.frame));
  extent.box = {};
  extent.velocities = {};
  const bool is_good = is_finite(pose.position) && is_finite(pose.rotation.row[0]) &&
                       is_finite(pose.rotation.row[1]) && is_finite(pose.rotation.row[2]);
  if (!is_good) return;
  constexpr double kInfinity = Bounds::kInfinity;
  if (!is_bounded(surface.shape)) {
    extent.box = {{-kInfinity, -kInfinity, -kInfinity}, {kInfinity, kInfinity, kInfinity}};
  } else {
    for (int corner = 0; corner < 8; ++corner) {
      extent.box.add(pose.to_world({corner & 1 ? bounds.hi.x : bounds.lo.x,
                                    corner & 2 ? bounds.hi.y : bounds.lo.y,
                                    corner & 4 ? bounds.hi.z : bounds.lo.z}));
    }
  }
  // The foot of a point is on the shape, except for grids, whose distance is approximate: the foot
  // of a point within one radius of the shape is then within three radii of its origin.
  const double feet = has_feet(surface.shape) ? 1 : 3;
  const double radius = norm(pose.position - origin) + feet * bounds.radius();
  extent.velocities = velocities_of(motion, radius);
}

SurfaceDistance ShapeBody::distance(Vec3d p, double reach) const {
  const SurfaceDistance local = signed_distance(surface.shape, pose.to_local(p), reach);
  return {local.distance, pose.rotation * local.normal};
}

bool ShapeBody::distance_facing(Vec3d p, Vec3d facing, double reach, SurfaceDistance* found) const {
  const Vec3d local_facing = transpose_times(pose.rotation, facing);
  if (!facing_distance(surface.shape, pose.to_local(p), local_facing, reach, found)) return false;
  found->normal = pose.rotation * found->normal;
  return true;
}

BodyPoint ShapeBody::body_point(Vec3d position) const {
  BodyPoint point;
  point.kind = PointKind::frame;
  point.frame = surface.frame;
  point.position = position;
  return point;
}

void ShapeBody::list_faces(Vec3d p, double reach, std::vector<NearFace>* out) const {
  out->clear();
  if (surface.mesh_trees == nullptr) return;
  const MeshSurfaceView& mesh = surface.shape.grid.mesh;
  const BoundsTree& tree = surface.mesh_trees->faces;
  const Vec3d local = pose.to_local(p);
  Bounds near;
  near.add(local);
  tree.for_each_overlap(near.grown(reach), [&](std::int32_t place) {
    const MeshTriangle& t = mesh.triangle[tree.item(place)];
    add_near_face(local, reach, tree.item(place),
                  {mesh.vertex[t.vertex[0]], mesh.vertex[t.vertex[1]], mesh.vertex[t.vertex[2]]},
                  {t.edge[0], t.edge[1], t.edge[2]}, t.normal, out);
  });
  for (NearFace& f : *out) {
    for (Vec3d& corner : f.corner) corner = pose.to_world(corner);
    f.normal = pose.rotation * f.normal;
    f.foot.point = pose.to_world(f.foot.point);
  }
}

const BodyExtent& extent_of(const Body& body) {
  return std::visit([](const auto& b) -> const BodyExtent& { return b.extent; }, body);
}

double smallest_extent(const Body& body) {
  if (const auto* rod = std::get_if<RodBody>(&body)) return 2 * rod->rod.radius_m;
  if (const auto* shape = std::get_if<ShapeBody>(&body))
    return is_bounded(shape->surface.shape) ? smallest_size(shape->bounds) : HUGE_VAL;
  const auto& soft = std::get<SoftBody>(body);
  Bounds box;
  for (const Vec3d p : soft.mesh.rest) box.add(p);
  return smallest_size({box.lo, box.hi}) + 2 * soft.options.thickness_m;
}

}  // namespace nodia
