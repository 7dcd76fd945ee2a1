/// Rotations and poses as plain data, host and device.
#pragma once

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Quaternion (w, x, y, z); a rotation where it has unit length.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

NODIA_HD Mat3d rotation_matrix(Quaternion q) {
  return {{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
           {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
           {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x), 1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

/// Pose of a frame: point p of the frame lies at `position + rotation p` in the world.
struct Pose {
  Vec3d position{};  ///< [m]
  Mat3d rotation = Mat3d::identity();

  NODIA_HD Vec3d to_world(Vec3d p) const { return position + rotation * p; }
  NODIA_HD Vec3d to_local(Vec3d p) const { return transpose_times(rotation, p - position); }
};

}  // namespace nodia
