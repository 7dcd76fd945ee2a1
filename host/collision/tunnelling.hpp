/// Swept-path tests for points and segments with straight paths against a moving surface.
#pragma once

#include <array>
#include <vector>

#include "kernels/collision/tunnelling.hpp"

namespace nodia {

/// Triangle whose corners move on straight lines in a step.
struct MovingTriangle {
  std::array<Vec3d, 3> now, end;
};

/// Crossing of a point through a triangle.
struct Crossing {
  double time = 0;      ///< fraction of the step, in [0, 1]
  Vec3d normal{};       ///< unit normal of the triangle at that time
  bool enters = false;  ///< crosses against the direction of the normal
  double depth_m = 0;   ///< depth of the point's end behind the triangle's end [m]
};

/// Appends the crossings of a point on the path a -> b with a triangle, in the order of time.
void find_crossings(Vec3d a, Vec3d b, const MovingTriangle& triangle, std::vector<Crossing>* out);

/// Evaluates the crossings of a point with all triangles of a surface at the end of its path.
/// @param crossings  reordered
/// @param is_closed  the surface has an inside; an odd number of crossings passes a sheet
WayEnd end_of_crossings(std::vector<Crossing>* crossings, bool is_closed);

/// True if two segments whose ends move on straight lines pass through each other.
bool segments_cross(const std::array<Vec3d, 2>& a_now, const std::array<Vec3d, 2>& a_end,
                    const std::array<Vec3d, 2>& b_now, const std::array<Vec3d, 2>& b_end);

}  // namespace nodia
