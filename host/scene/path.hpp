/// Prescribed motion of frames: obstacles and attachment frames.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "kernels/core/pose.hpp"
#include "kernels/core/twist.hpp"
#include "kernels/core/words.hpp"

namespace nodia {

/// Motion between two keyframes: at rest in every keyframe, or at constant speed between them
/// (sampled tracks, motions without easing).
enum class PathProfile : std::uint8_t { minimum_jerk, linear };

/// Words in files.
constexpr auto words_of(PathProfile) {
  return std::array{Word{PathProfile::minimum_jerk, "minimum_jerk"},
                    Word{PathProfile::linear, "none"}};
}

/// Progress between two keyframes.
struct PathShare {
  double share = 0;  ///< share of the distance, in [0, 1]
  double rate = 0;   ///< derivative of `share` by the share of the time
};

/// @param r  share of the time between two keyframes, in [0, 1]
PathShare path_share(PathProfile profile, double r);

/// Next keyframe of the motion at this time: its time is `time_s` (up to rounding) or later. The
/// first keyframe or the end if nothing moves then. @param keys  with time_s, ascending
template <class Key>
typename std::vector<Key>::const_iterator key_after(const std::vector<Key>& keys, double time_s) {
  constexpr double kRounding = 1e-9;  // share of the time between two keyframes
  auto next = std::lower_bound(keys.begin(), keys.end(), time_s,
                               [](const Key& key, double t) { return key.time_s < t; });
  if (next - keys.begin() >= 2) {
    const auto here = std::prev(next);
    if (time_s - here->time_s <= kRounding * (here->time_s - std::prev(here)->time_s)) next = here;
  }
  return next;
}

/// Keyframes of a frame's pose. Between two keyframes the position follows the profile, and the
/// rotation the shortest great arc with the same profile. The pose is constant before the first
/// keyframe and after the last. Without keyframes, it is always the identity.
struct Path {
  struct Key {
    double time_s = 0;
    Vec3d position{};               ///< [m]
    Quaternion orientation_wxyz{};  ///< normalised on use
  };
  std::vector<Key> keys;
  PathProfile profile = PathProfile::minimum_jerk;

  Pose at(double time_s) const;
  /// Velocity of the frame, angular in world axes [m/s, rad/s]. In a keyframe (up to rounding of
  /// the time), it is the velocity of the motion before it.
  FrameTwist rate(double time_s) const;
  bool moves() const { return keys.size() > 1; }
  /// Checks that times ascend strictly, values are finite, and quaternions are not zero. @throws
  /// InputError that names keys after `prefix`
  void validate(const std::string& prefix) const;
};

}  // namespace nodia
