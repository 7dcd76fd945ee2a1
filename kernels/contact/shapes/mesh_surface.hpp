/// Exact signed distance near the surface of a closed triangle mesh; host and device.
#pragma once

#include "kernels/collision/closest_points.hpp"
#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// Closest point of a mesh's surface.
struct MeshFoot {
  std::int32_t triangle = -1;
  TrianglePoint at;
};

/// Point in a cell of a mesh's grid.
struct PointInCell {
  Vec3d p{};                        ///< [m]
  double from_centre = 0;           ///< distance from the cell's centre [m]
  std::int32_t begin = 0, end = 0;  ///< the cell's list in MeshSurfaceView::near
};

NODIA_HD TrianglePoint closest_on(const MeshSurfaceView& mesh, std::int32_t triangle, Vec3d p) {
  const MeshTriangle& t = mesh.triangle[triangle];
  return closest_on_triangle(p, mesh.vertex[t.vertex[0]], mesh.vertex[t.vertex[1]],
                             mesh.vertex[t.vertex[2]]);
}

/// Calls visit(triangle, TrianglePoint) for the triangles of a cell's list that may be closer to p
/// than sqrt(*squared_reach), a value that `visit` may lower. The triangle nearest to any point of
/// the cell is in its list.
template <class Visit>
NODIA_HD void for_each_near_triangle(const MeshSurfaceView& mesh, const PointInCell& at,
                                     const double* squared_reach, const Visit& visit) {
  for (std::int32_t k = at.begin; k < at.end; ++k) {
    const double least = static_cast<double>(mesh.near[k].from_centre) - at.from_centre;
    if (least > 0 && least * least > *squared_reach) return;  // ascending: neither are the others
    visit(mesh.near[k].triangle, closest_on(mesh, mesh.near[k].triangle, at.p));
  }
}

/// Distance of p from the plane of a triangle [m].
NODIA_HD double plane_distance(const MeshSurfaceView& mesh, const MeshTriangle& t, Vec3d p) {
  return dot(p - mesh.vertex[t.vertex[0]], t.normal);
}

/// Signed distance of p by its closest point. Where the surface is flat, the normal is that of the
/// triangle; at an edge or a vertex, the direction from there to p, with the sign of the
/// angle-weighted normal [Baerentzen & Aanaes 2005], which is also the normal if p is on it.
NODIA_HD SurfaceDistance distance_from(const MeshSurfaceView& mesh, const MeshFoot& foot, Vec3d p) {
  const MeshTriangle& t = mesh.triangle[foot.triangle];
  const int feature = foot.at.feature;
  const bool is_face = feature == kFace;
  const bool is_corner = feature == kCornerA || feature == kCornerB || feature == kCornerC;
  const int corner = feature == kCornerA ? 0 : (feature == kCornerB ? 1 : 2);
  const int side = feature == kEdgeAB ? 0 : (feature == kEdgeBC ? 1 : 2);
  const int place = is_corner ? corner : 3 + side;
  if (is_face || (t.flat >> place & 1) != 0) return {plane_distance(mesh, t, p), t.normal};
  const Vec3d outward =
      is_corner ? mesh.vertex_normal[t.vertex[corner]] : mesh.edge_normal[t.edge[side]];
  const Vec3d from_surface = p - foot.at.point;
  const double length = norm(from_surface), along = dot(from_surface, outward);
  const double sign = along < 0 ? -1 : 1;
  if (!(length > mesh.resolution_m)) return {along, outward};
  return {sign * length, (sign / length) * from_surface};
}

/// Calls visit(distance, normal) for the planes of the near triangles to which the foot of p
/// belongs, or beside which it is by at most `near`.
template <class Visit>
NODIA_HD void for_each_near_plane(const MeshSurfaceView& mesh, const PointInCell& p, double near,
                                  const Visit& visit) {
  const double all = HUGE_VAL;
  for_each_near_triangle(mesh, p, &all, [&](std::int32_t k, const TrianglePoint& at) {
    const MeshTriangle& t = mesh.triangle[k];
    if (squared_norm(t.normal) == 0) return;
    const double height = plane_distance(mesh, t, p.p);
    if (at.squared_distance - height * height <= near * near) visit(height, t.normal);
  });
}

/// Distance from a near plane (for_each_near_plane()) that faces a surface: of those within `near`
/// of the nearest one, the plane with the most opposed normal. False if there is none.
/// @param facing  outward normal of the surface at p, unit
NODIA_HD bool facing_plane(const MeshSurfaceView& mesh, const PointInCell& p, Vec3d facing,
                           double near, SurfaceDistance* found) {
  double least = HUGE_VAL;
  const auto for_each = [&](const auto& visit) {
    for_each_near_plane(mesh, p, near, [&](double height, Vec3d normal) {
      if (!(dot(facing, normal) > kNotFacing)) visit(height, normal);
    });
  };
  for_each([&](double height, Vec3d) { least = smaller(least, std::fabs(height)); });
  double most = HUGE_VAL;
  for_each([&](double height, Vec3d normal) {
    if (!(std::fabs(height) <= least + near) || !(dot(facing, normal) < most)) return;
    most = dot(facing, normal);
    *found = {height, normal};
  });
  return most < HUGE_VAL;
}

}  // namespace nodia
