/// Prescribed motion of frames: obstacles and grips.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/pose.hpp"

namespace nodia {

/// How a path goes from one keyframe to the next: at rest in every keyframe, or at constant speed
/// between them (sampled tracks).
enum class PathProfile : std::uint8_t { minimum_jerk, linear };

/// Keyframes: between neighbours the position follows the profile and the rotation the
/// shortest great arc with the same profile; constant before the first and behind the last. No
/// keyframe: the identity for ever.
struct Path {
  struct Key {
    double time_s = 0;
    Vec3d position{};               ///< [m]
    Quaternion orientation_wxyz{};  ///< normalised on use
  };
  std::vector<Key> keys;
  PathProfile profile = PathProfile::minimum_jerk;

  Pose at(double time_s) const;
  bool moves() const { return keys.size() > 1; }
  /// Times strictly ascending, values finite, quaternions not zero. Throws InputError, keys named
  /// behind `prefix`.
  void validate(const std::string& prefix) const;
};

}  // namespace nodia
