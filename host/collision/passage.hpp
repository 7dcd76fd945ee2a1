/// Points and segments that moved straight in a step: have they come through a moving surface?
#pragma once

#include <array>
#include <vector>

#include "kernels/collision/passage.hpp"

namespace nodia {

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
