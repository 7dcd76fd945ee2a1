/// Collision shape of a closed mesh: a grid of signed distances, exact near the surface.
#pragma once

#include <algorithm>

#include "kernels/contact/shapes/mesh_surface.hpp"

namespace nodia {

/// Place of a point in a grid.
struct GridPlace {
  std::int64_t cell = 0;  ///< lowest sample of the nearest cell
  Vec3d fraction{};       ///< position in the cell, 0 to 1 per axis
  Vec3d beyond{};         ///< from the nearest point of the grid to p [m]
};

NODIA_HD GridPlace place_in(const DistanceGridView& grid, Vec3d p) {
  GridPlace place;
  std::int64_t cell[3];
  for (int axis = 0; axis < 3; ++axis) {
    const double last = grid.n[axis] - 1;
    const double g = (p[axis] - grid.origin[axis]) / grid.spacing;
    const double clamped = g > 0 ? (g < last ? g : last) : 0;
    if (g != clamped) place.beyond[axis] = (g - clamped) * grid.spacing;
    cell[axis] = static_cast<std::int64_t>(clamped);
    if (cell[axis] > grid.n[axis] - 2) cell[axis] = grid.n[axis] - 2;
    place.fraction[axis] = clamped - static_cast<double>(cell[axis]);
  }
  place.cell = (cell[2] * grid.n[1] + cell[1]) * grid.n[0] + cell[0];
  return place;
}

/// The list of near triangles of the cell; empty where the grid is interpolated, and outside it.
NODIA_HD PointInCell near_triangles(const DistanceGridView& grid, const GridPlace& place, Vec3d p) {
  if (grid.mesh.cell_begin == nullptr || squared_norm(place.beyond) != 0) return {};
  const Vec3d from_centre = place.fraction - Vec3d{0.5, 0.5, 0.5};
  return {p, grid.spacing * norm(from_centre), grid.mesh.cell_begin[place.cell],
          grid.mesh.cell_begin[place.cell + 1]};
}

/// Value of the interpolant in a grid [m] and its gradient.
struct GridValue {
  double distance;
  Vec3d gradient;
};

/// Normalised gradient, or z if it vanishes.
NODIA_HD Vec3d normal_along(Vec3d gradient) {
  const double slope = norm(gradient);
  return slope > kNoDirection ? (1 / slope) * gradient : Vec3d{0, 0, 1};
}

/// Trilinear interpolant at the nearest point of the grid.
NODIA_HD GridValue interpolated_distance(const DistanceGridView& grid, const GridPlace& place) {
  const std::int64_t row = grid.n[0];
  const std::int64_t slice = row * grid.n[1];
  const double* c = grid.value + place.cell;
  const double x = place.fraction.x, y = place.fraction.y, z = place.fraction.z;

  // Interpolates along x (four values and slopes on the edges of the cell), then along y and z.
  const double v00 = c[0] + x * (c[1] - c[0]);
  const double v10 = c[row] + x * (c[row + 1] - c[row]);
  const double v01 = c[slice] + x * (c[slice + 1] - c[slice]);
  const double v11 = c[slice + row] + x * (c[slice + row + 1] - c[slice + row]);
  const double v0 = v00 + y * (v10 - v00);
  const double v1 = v01 + y * (v11 - v01);
  const double slope_x0 = (1 - y) * (c[1] - c[0]) + y * (c[row + 1] - c[row]);
  const double slope_x1 =
      (1 - y) * (c[slice + 1] - c[slice]) + y * (c[slice + row + 1] - c[slice + row]);

  const double per_cell = 1 / grid.spacing;
  return {v0 + z * (v1 - v0),
          {per_cell * ((1 - z) * slope_x0 + z * slope_x1),
           per_cell * ((1 - z) * (v10 - v00) + z * (v11 - v01)), per_cell * (v1 - v0)}};
}

/// Distance of a point in the grid or outside it, from the value at the nearest point of the grid.
/// @param beyond  from there to the point [m]
NODIA_HD SurfaceDistance distance_beyond(GridValue in_grid, Vec3d beyond) {
  const double length = norm(beyond);
  for (int axis = 0; axis < 3; ++axis)
    if (beyond[axis] != 0) in_grid.gradient[axis] = beyond[axis] / length;
  return {in_grid.distance + length, normal_along(in_grid.gradient)};
}

/// Exact near the surface. Farther away, steps by the interpolant lead to the surface, several
/// where two parts of it are equally close. A descent leads from there to the closest point of the
/// triangles near the current one, until it stays. The interpolant is the result where this does
/// not find the surface, and beyond `reach` from it.
NODIA_HD SurfaceDistance grid_distance(Vec3d p, const DistanceGridView& grid,
                                       double reach = HUGE_VAL) {
  constexpr int kMostRounds = 64;  // cells on the way
  constexpr int kMostSteps = 16;   // to the surface
  constexpr double kError = 2;     // cells, of the interpolant
  // Few values live through the loop, so that a kernel keeps them in registers.
  std::int32_t nearest = -1;
  double squared = HUGE_VAL;
  Vec3d at = p;
  bool is_near = false, is_inside = false;
  for (int round = 0; round < kMostRounds; ++round) {
    const GridPlace place = place_in(grid, at);
    PointInCell cell = near_triangles(grid, place, p);
    if (round == 0) is_near = cell.begin < cell.end;
    if (nearest < 0 && cell.begin >= cell.end) {
      const GridValue far = interpolated_distance(grid, place);
      if (round == 0) {
        is_inside = far.distance < 0;
        const double outside = norm(place.beyond);  // the surface is inside the grid
        const double least = larger(outside, std::fabs(far.distance) - outside);
        if (least > reach + kError * grid.spacing) break;
      }
      if (round == kMostSteps) break;
      at = at - place.beyond - far.distance * normal_along(far.gradient);
      continue;
    }
    if (!is_near) cell.from_centre = HUGE_VAL;  // p is in another cell: all triangles are tested
    bool is_closer = false;
    for_each_near_triangle(grid.mesh, cell, &squared, [&](std::int32_t t, const TrianglePoint& on) {
      if (!(on.squared_distance < squared)) return;
      squared = on.squared_distance;
      nearest = t;
      at = on.point;
      is_closer = true;
    });
    if (is_near || !is_closer) break;
  }
  if (nearest >= 0) {
    const MeshFoot foot{nearest, closest_on(grid.mesh, nearest, p)};
    const SurfaceDistance found = distance_from(grid.mesh, foot, p);
    if (is_near || (found.distance < 0) == is_inside) return found;
  }
  const GridPlace place = place_in(grid, p);
  return distance_beyond(interpolated_distance(grid, place), place.beyond);
}

struct GridShape : ShapeRow {
  static constexpr ShapeKind kKind = ShapeKind::distance_grid;
  static constexpr const char* kName = "mesh";
  static constexpr const char* kPlace = "as in its file";
  static constexpr std::array<ShapeSize, 0> kSizes{};
  static constexpr bool kHasFeet = false, kHasIntegrals = false;  // the mesh has its own

  NODIA_HD static SurfaceDistance distance(const Shape& s, Vec3d p) {
    return grid_distance(p, s.grid);
  }
  NODIA_HD static ShapeBounds bounds(const Shape& s) {
    const DistanceGridView& g = s.grid;
    if (g.mesh.cell_begin != nullptr) return {g.mesh.lo, g.mesh.hi};
    const Vec3d extent{g.spacing * (g.n[0] - 1), g.spacing * (g.n[1] - 1),
                       g.spacing * (g.n[2] - 1)};
    return {g.origin, g.origin + extent};
  }

  static std::int32_t n_edge(const Shape& s) {
    return static_cast<std::int32_t>(s.grid.features->edges.size());
  }
  static SolidEdge edge(const Shape& s, std::int32_t e) {
    return s.grid.features->edges[static_cast<std::size_t>(e)];
  }
  static std::array<std::int32_t, 2> edge_ends(const Shape& s, std::int32_t e) {
    return s.grid.features->edge_ends[static_cast<std::size_t>(e)];
  }
  /// Half the smallest extent of the grid.
  static double edge_depth(const Shape& s) {
    const Vec3d size = bounds(s).hi - bounds(s).lo;
    return 0.5 * std::fmin(size.x, std::fmin(size.y, size.z));
  }

  static double sharp_size(const Shape& s) { return norm(bounds(s).hi - bounds(s).lo); }
  /// Planes of the triangles near p, except those in front of p that are not the nearest.
  template <class Add>
  static void faces(const Shape& s, Vec3d p, const Add& add) {
    const double near = kNearEdge * sharp_size(s);
    const PointInCell at = near_triangles(s.grid, place_in(s.grid, p), p);
    if (at.begin == at.end) return;
    const double nearest = std::fabs(distance(s, p).distance);
    for_each_near_plane(s.grid.mesh, at, near, [&](double height, Vec3d normal) {
      if (height <= nearest + near) add(height, normal);
    });
  }
  static constexpr bool kIsConvex = false;
  static bool facing_face(const Shape& s, Vec3d p, Vec3d facing, double near,
                          SurfaceDistance* found) {
    return facing_plane(s.grid.mesh, near_triangles(s.grid, place_in(s.grid, p), p), facing, near,
                        found);
  }

  template <class Distance, class Visit>
  static void contact_points(const Shape& s, const Distance&, const Visit& visit) {
    sharp_points(s, visit);
  }
  template <class Visit>
  static void sharp_points(const Shape& s, const Visit& visit) {
    for (const ShapePoint& point : s.grid.features->points) visit(point);
  }
  static bool is_closest(const Shape& s, const ShapePoint& point, Vec3d towards) {
    const MeshFeatures& f = *s.grid.features;
    const auto k = static_cast<std::size_t>(point.feature);
    const auto end = f.around.begin() + f.around_begin[k + 1];
    return std::none_of(f.around.begin() + f.around_begin[k], end,
                        [&](Vec3d along) { return dot(along, towards) > kLeaning; });
  }
  /// All vertices, and the middle of the grid if it is inside.
  template <class Visit>
  static void inner_points(const Shape& s, const Visit& visit) {
    for (std::int32_t v = 0; v < s.grid.mesh.n_vertex; ++v)
      visit(ShapePoint{v, s.grid.mesh.vertex[v], 0, {}});
    const ShapeBounds box = bounds(s);
    const Vec3d centre = 0.5 * (box.lo + box.hi);
    if (distance(s, centre).distance < 0) visit(ShapePoint{0, centre, 0, {}});
  }
};

}  // namespace nodia
