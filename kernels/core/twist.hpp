/// Velocity of a frame.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Velocity of a frame at its origin, world axes.
struct FrameTwist {
  Vec3d linear{};   ///< [m/s]
  Vec3d angular{};  ///< [rad/s]

  /// Velocity of the frame's material point at `point` [m/s]; the frame's origin is at `origin`
  /// [m].
  Vec3d velocity_at(Vec3d point, Vec3d origin) const {
    return linear + cross(angular, point - origin);
  }
};

}  // namespace nodia
