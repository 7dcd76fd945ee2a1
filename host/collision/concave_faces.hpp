/// Finds the faces that stop a point or a ball in a concave place, besides its closest point.
///
/// A ball in a groove touches both of its faces. With one of them in each step, the closest one, it
/// never comes to rest.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/collision/closest_points.hpp"
#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// Triangle near a point.
struct NearFace {
  std::int32_t triangle = 0;
  std::array<Vec3d, 3> corner;       ///< [m]
  std::array<std::int32_t, 3> edge;  ///< from corner k to k + 1
  Vec3d normal{};                    ///< outward, unit; zero without area
  TrianglePoint foot{};              ///< closest point of the triangle
  double height = 0;                 ///< of the point above its plane [m]
};

/// Ball with the closest point of its centre.
struct NearBall {
  Vec3d centre{};
  Vec3d outward{};  ///< ShapePoint::outward, in the axes of the faces
  SurfaceDistance closest{};
};

/// Appends the triangle if it is within reach of the centre.
void add_near_face(Vec3d centre, double reach, std::int32_t triangle,
                   const std::array<Vec3d, 3>& corner, const std::array<std::int32_t, 3>& edge,
                   Vec3d normal, std::vector<NearFace>* faces);

/// Keeps the faces that bound the motion of the ball, the lowest first, at most 16. The foot of the
/// centre is inside the face or on a concave edge of it, and visible from the centre; the face
/// faces NearBall::outward; its normal differs by more than 8 degrees from those of the closest
/// point and of lower faces. A face above the centre counts if the closest point is in front of it
/// and at least half as far away.
/// @param faces  all triangles within reach
void keep_barriers(const NearBall& ball, std::vector<NearFace>* faces);

}  // namespace nodia
