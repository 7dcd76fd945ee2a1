/// Rotations and poses as plain data, host and device.
#pragma once

#include "kernels/core/mat3.hpp"

namespace nodia {

/// Quaternion (w, x, y, z); a rotation if it has unit length.
struct Quaternion {
  double w = 1, x = 0, y = 0, z = 0;
};

/// Unit quaternion in the direction of q, which must be finite and not zero.
NODIA_HD Quaternion normalized(Quaternion q) {
  // Scaling by the largest component first avoids overflow and underflow of the squares.
  const double wx = std::fmax(std::fabs(q.w), std::fabs(q.x));
  const double yz = std::fmax(std::fabs(q.y), std::fabs(q.z));
  const double largest = std::fmax(wx, yz);
  const Quaternion s{q.w / largest, q.x / largest, q.y / largest, q.z / largest};
  const double length = std::sqrt(s.w * s.w + s.x * s.x + s.y * s.y + s.z * s.z);
  return {s.w / length, s.x / length, s.y / length, s.z / length};
}

/// Point s of the shortest great arc from a (s = 0, returned exactly) to b (s = 1); a for every s
/// if both are the same rotation. For half a turn, the arc leads to b as given, not to -b.
/// @param a, b  unit quaternions
/// @param s     in [0, 1]
NODIA_HD Quaternion slerp(Quaternion a, Quaternion b, double s) {
  const double cosine = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
  if (cosine < 0) b = {-b.w, -b.x, -b.y, -b.z};
  const Quaternion d{b.w - a.w, b.x - a.x, b.y - a.y, b.z - a.z};
  const Quaternion m{b.w + a.w, b.x + a.x, b.y + a.y, b.z + a.z};
  const double chord = std::sqrt(d.w * d.w + d.x * d.x + d.y * d.y + d.z * d.z);
  if (chord == 0) return a;
  const double angle =
      2 * std::atan2(chord, std::sqrt(m.w * m.w + m.x * m.x + m.y * m.y + m.z * m.z));
  const double weight_b = std::sin(s * angle) / std::sin(angle);
  const double weight_a = std::sin((1 - s) * angle) / std::sin(angle);
  return {weight_a * a.w + weight_b * b.w, weight_a * a.x + weight_b * b.x,
          weight_a * a.y + weight_b * b.y, weight_a * a.z + weight_b * b.z};
}

/// Rotation matrix of a quaternion. @param q  unit quaternion
NODIA_HD Mat3d rotation_matrix(Quaternion q) {
  return {
      {{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z), 2 * (q.x * q.z + q.w * q.y)},
       {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z), 2 * (q.y * q.z - q.w * q.x)},
       {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
        1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

/// Pose of a frame: point p of the frame is at `position + rotation p` in the world.
struct Pose {
  Vec3d position{};  ///< [m]
  Mat3d rotation = Mat3d::identity();

  NODIA_HD Vec3d to_world(Vec3d p) const { return position + rotation * p; }
  NODIA_HD Vec3d to_local(Vec3d p) const { return transpose_times(rotation, p - position); }
};

}  // namespace nodia
