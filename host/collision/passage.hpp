/// Points and segments that moved straight in a step: have they come through a surface?
#pragma once

#include <array>
#include <vector>

#include "kernels/contact/shapes.hpp"

namespace nodia {

/// Depth that still counts as on the surface, of the smallest extent of the smaller body.
inline constexpr double kPassageShare = 0.01;

/// How a way from outside a solid ended.
struct WayEnd {
  enum class Where {
    outside,  ///< it never entered, or left where it had come in
    inside,
    through  ///< it left on another side than it had come in
  } where = Where::outside;
  double depth_m = 0;  ///< of the end behind the surface that was passed [m]
};

/// The straight way a -> b against a solid given by its signed distance, by steps as long as the
/// distance and at least 1/1024 of the way: what is thinner than that may be stepped over.
/// @param distance  point -> SurfaceDistance, not changing by more than the way; positive at a
template <class Distance>
WayEnd end_of_way(Vec3d a, Vec3d b, const Distance& distance) {
  const double length = norm(b - a);
  const double least = length / 1024;
  double way = 0;
  bool entered = false;
  SurfaceDistance before{};  // the last one outside ahead of the solid, and where it was
  Vec3d from = a;
  for (;;) {
    const Vec3d p = way < length ? a + (way / length) * (b - a) : b;
    const SurfaceDistance d = distance(p);
    if (!std::isfinite(d.distance)) return {};
    entered = entered || d.distance < 0;
    if (!entered) {
      before = d;
      from = p;
    }
    if (way < length) {
      way += std::fmax(std::fabs(d.distance), least);
      continue;
    }
    if (d.distance < 0) return {WayEnd::Where::inside, -d.distance};
    if (!entered || dot(before.normal, d.normal) >= 0) return {};
    return {WayEnd::Where::through, dot(from - b, before.normal) - before.distance};
  }
}

/// A triangle whose corners move straight from now to end.
struct MovingTriangle {
  std::array<Vec3d, 3> now, end;
};

/// A point's passing of a triangle's plane inside the triangle.
struct Crossing {
  double time = 0;      ///< in [0, 1]
  Vec3d normal{};       ///< of the triangle then, unit
  bool enters = false;  ///< from the side of the normal to the other
  double depth_m = 0;   ///< of the point's end behind the triangle's end [m]
};

/// Appends the crossings of a point that moves a -> b with a triangle, in the order of time.
void find_crossings(Vec3d a, Vec3d b, const MovingTriangle& triangle, std::vector<Crossing>* out);

/// What the crossings of a point with all triangles of a surface mean for its end.
/// @param crossings  reordered
/// @param is_closed  whether the surface has an inside; a sheet is passed by an odd number
WayEnd end_of_crossings(std::vector<Crossing>* crossings, bool is_closed);

/// Whether two segments whose ends move straight pass through each other.
bool segments_cross(const std::array<Vec3d, 2>& a_now, const std::array<Vec3d, 2>& a_end,
                    const std::array<Vec3d, 2>& b_now, const std::array<Vec3d, 2>& b_end);

}  // namespace nodia
