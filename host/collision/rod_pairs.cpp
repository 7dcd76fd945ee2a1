/// Searches for contact pairs of rods.
#include <algorithm>

#include "host/collision/index.hpp"
#include "host/collision/link_places.hpp"
#include "host/collision/pair_search.hpp"
#include "host/collision/shape_points.hpp"

namespace nodia {
namespace {

/// Point of a rod's axis.
struct RodSide {
  std::int32_t link;
  Vec3d on_axis;
};

/// @param reach  of the axis
void find_rod_point_on_shape(const RodBody& i, const RodSide& side, std::int32_t feature,
                             const ShapeBody& j, double reach, const PairSearch& search) {
  if (i.rod.first_frame + side.link == j.surface.frame) return;
  ++search.counters->distance_tests;
  const SurfaceDistance d = j.distance(side.on_axis);
  if (!std::isfinite(d.distance)) return;
  const auto add = [&](PairRule rule, std::int32_t triangle, double distance, Vec3d normal) {
    const BodyPoint point_i = i.body_point(side.link, side.on_axis, -normal);
    const Vec3d foot = side.on_axis - distance * normal;
    search.add(rule, feature, triangle, point_i, j.body_point(foot), distance - i.rod.radius_m,
               normal, i.velocity(side.link, point_i.position), j.velocity(foot));
  };
  add(PairRule::point, 0, d.distance, d.normal);
  if (j.surface.mesh_trees == nullptr) return;
  for (const NearFace& f : search.barriers({side.on_axis, {}, d}, j, reach))
    add(PairRule::face, f.triangle, f.height, f.normal);
}

}  // namespace

void find_vertices_on_rod(const SoftBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                          const PairSearch& search) {
  const double thickness = i.extent.thickness + j.rod.radius_m;
  for (std::int32_t vertex = begin; vertex < end; ++vertex) {
    const Vec3d p = i.position(vertex);
    if (!is_finite(p)) continue;
    const PointMotion& v = i.v[at(vertex)];
    const double reach =
        thickness + farthest_gap(search.reach, approach_bound(v, i.extent, j.extent));
    const auto on_axis = [&](std::int32_t link) {
      const Vec3d a = j.a[at(link)], b = j.b[at(link)];
      return a + closest_on_segment(p, a, b) * (b - a);
    };
    ++search.counters->queries;
    const BoundsTree::Nearest nearest =
        j.tree.nearest(p, {reach * reach, -1}, [&](std::int32_t place) {
          ++search.counters->distance_tests;
          return squared_norm(p - on_axis(j.tree.item(place)));
        });
    if (nearest.place < 0) continue;
    const std::int32_t link = j.tree.item(nearest.place);
    const Vec3d axis = on_axis(link);
    const Vec3d facing =
        i.mesh.is_closed ? i.surface().vertex_normal(vertex, DirectMemory{}) : Vec3d{};
    double distance = 0;
    // A point on the axis uses the surface's own normal.
    const Vec3d normal = direction_or(p - axis, -facing, &distance);
    if (!(squared_norm(normal) > 0)) continue;
    const BodyPoint point_j = j.body_point(link, axis, normal);
    search.add(PairRule::vertex, vertex, link, i.body_point(vertex), point_j, distance - thickness,
               normal, v, j.velocity(link, point_j.position));
  }
}

void find_rod_points_on_soft(const RodBody& i, const SoftBody& j, const PairSearch& search) {
  const double thickness = i.rod.radius_m + j.extent.thickness;
  const double reach = thickness + farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  SurfaceHit hit;
  for (std::int32_t k = 0; k < i.n_point(); ++k) {
    const Vec3d p = i.point(k);
    if (!is_finite(p) || !(j.extent.box.squared_distance(p) <= reach * reach)) continue;
    ++search.counters->queries;
    if (!j.find_closest(p, reach, j.depth, nullptr, &hit, &search.counters->distance_tests)) {
      continue;
    }
    const auto add = [&](PairRule rule, const SurfaceHit& at_j) {
      const std::int32_t link = i.link_of_point(k);
      const BodyPoint point_i = i.body_point(link, p, -at_j.normal);
      search.add(rule, k, at_j.triangle, point_i, j.body_point(at_j), at_j.distance - thickness,
                 at_j.normal, i.velocity(link, point_i.position), j.velocity(at_j));
    };
    add(PairRule::point, hit);
    for (const NearFace& f : search.barriers({p, {}, {hit.distance, hit.normal}}, j, reach))
      add(PairRule::face, hit_of(f));
  }
}

void find_rod_points_on_shape(const RodBody& i, const ShapeBody& j, const PairSearch& search) {
  const double reach =
      i.rod.radius_m + farthest_gap(search.reach, approach_bound(i.extent, j.extent));
  const auto is_near = [&](Vec3d p, double more) {
    ++search.counters->queries;
    return is_finite(p) && j.bounds.is_near(j.pose.to_local(p), reach + more);
  };
  for (std::int32_t k = 0; k < i.n_point(); ++k) {
    const Vec3d p = i.point(k);
    if (is_near(p, 0)) find_rod_point_on_shape(i, {i.link_of_point(k), p}, k, j, reach, search);
  }
  if (i.rod.contact == RodContact::link_centres) return;
  if (!is_bounded(j.surface.shape)) return;  // the ends are closest
  for (std::int32_t link = 0; link < i.rod.n_link; ++link) {
    const Vec3d a = i.a[at(link)], b = i.b[at(link)];
    if (!is_finite(a) || !is_finite(b) || !is_near(i.centre[at(link)], 0.5 * norm(b - a))) continue;
    const auto distance = [&](Vec3d p) {
      ++search.counters->distance_tests;
      return j.distance(p);
    };
    const auto part = part_in_sphere(a, b, j.pose.position, j.bounds.radius() + reach);
    for_each_link_place(a, b, i.rod.radius_m, part, distance, [&](std::int32_t k, double s) {
      const std::int32_t feature = i.rod.n_link * (k + 1) + 1 + link;
      find_rod_point_on_shape(i, {link, a + s * (b - a)}, feature, j, reach, search);
    });
  }
}

void find_links(const RodBody& i, const RodBody& j, std::int32_t begin, std::int32_t end,
                const PairSearch& search) {
  const bool is_self = &i == &j;
  const double radii = i.rod.radius_m + j.rod.radius_m;
  // If the closest point is the front end of a link, the next link reports it. If it is the rear
  // end, this link reports it unless the previous link is clearly closer.
  const auto owns = [](const RodBody& rod, std::int32_t link, double s, Vec3d towards) {
    if (rod.rod.contact == RodContact::link_centres) return true;
    if (s == 1) return link == rod.rod.n_link - 1;
    if (s > 0 || link == 0) return true;
    const Vec3d back = rod.a[at(link - 1)] - rod.b[at(link - 1)];
    constexpr double kClearly = 0.1;  // sine
    return !(dot(towards, back) > kClearly * norm(back));
  };
  for (std::int32_t link = begin; link < end; ++link) {
    const Bounds& own = i.boxes[at(link)];
    if (own.is_empty()) continue;
    const Vec3d a0 = i.a[at(link)], a1 = i.b[at(link)];
    // Bound on the speed of the link: |v + omega x r| over its capsule.
    const auto speed_of = [&](const FrameTwist& twist) {
      const Vec3d u = twist.linear;
      return (is_self ? relative_speed(u, j.extent.velocities)
                      : approach_bound({u, u}, i.extent, j.extent)) +
             norm(twist.angular) * (0.5 * norm(a1 - a0) + i.rod.radius_m);
    };
    const FrameMotion& motion = i.motion[at(link)];
    const double reach =
        radii + farthest_gap(search.reach, std::max(speed_of(motion.now), speed_of(motion.free)));
    ++search.counters->queries;
    const std::size_t first = search.out->size();
    j.tree.for_each_overlap(own.grown(reach), [&](std::int32_t place) {
      const std::int32_t other = j.tree.item(place);
      if (is_self && other - link < i.exclusion) return;
      if (i.rod.first_frame + link == j.rod.first_frame + other) return;
      ++search.counters->distance_tests;
      const Vec3d b0 = j.a[at(other)], b1 = j.b[at(other)];
      const SegmentPoints c = closest_on_segments(a0, a1, b0, b1);
      if (!(c.squared_distance < reach * reach)) return;
      double distance = 0;
      // Intersecting axes are separated along the common normal, collinear ones across their line.
      const Vec3d across = cross(a1 - a0, b1 - b0);
      const Vec3d aside = frame_from_normal(direction_or(a1 - a0, {0, 0, 1}, &distance)).row[1];
      const Vec3d fallback = direction_or(across, aside, &distance);
      const Vec3d normal = direction_or(c.on_a - c.on_b, fallback, &distance);
      if (!owns(i, link, c.s, -normal) || !owns(j, other, c.t, normal)) return;
      const BodyPoint point_i = i.body_point(link, c.on_a, -normal);
      const BodyPoint point_j = j.body_point(other, c.on_b, normal);
      search.add(PairRule::link, link, other, point_i, point_j, distance - radii, normal,
                 i.velocity(link, point_i.position), j.velocity(other, point_j.position));
    });
    std::sort(search.out->begin() + static_cast<std::ptrdiff_t>(first), search.out->end(),
              comes_before);
  }
}

}  // namespace nodia
