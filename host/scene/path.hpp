/// Prescribed motion of frames: obstacles and grips.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/pose.hpp"
#include "kernels/core/twist.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// How a path goes from one keyframe to the next: at rest in every keyframe, or at constant speed
/// between them (sampled tracks, motions without easing).
enum class PathProfile : std::uint8_t { minimum_jerk, linear };

/// As files call them.
constexpr auto words_of(PathProfile) {
  return std::array{Word{PathProfile::minimum_jerk, "minimum_jerk"},
                    Word{PathProfile::linear, "none"}};
}

/// How far along its way a path is.
struct PathShare {
  double share = 0;  ///< of the way, in [0, 1]
  double rate = 0;   ///< of it, per share of the time
};

/// @param r  share of the time between two keyframes, in [0, 1]
PathShare path_share(PathProfile profile, double r);

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
  /// Velocity of the frame, angular in world axes [m/s, rad/s]; in a keyframe that of the motion
  /// before it.
  FrameTwist rate(double time_s) const;
  bool moves() const { return keys.size() > 1; }
  /// Times strictly ascending, values finite, quaternions not zero. Throws InputError, keys named
  /// behind `prefix`.
  void validate(const std::string& prefix) const;
};

}  // namespace nodia
