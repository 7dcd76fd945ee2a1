#include "host/scene/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "kernels/core/error.hpp"
#include "kernels/core/rotation.hpp"

namespace nodia {
namespace {

Pose pose_of(const Path::Key& key) {
  return {key.position, rotation_matrix(normalized(key.orientation_wxyz))};
}

bool is_finite(Quaternion q) {
  return std::isfinite(q.w) && std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z);
}

bool is_zero(Quaternion q) {
  return q.w == 0 && q.x == 0 && q.y == 0 && q.z == 0;
}

}  // namespace

PathShare path_share(PathProfile profile, double r) {
  if (profile == PathProfile::linear) return {r, 1};
  // The polynomial with zero velocity and acceleration at both ends.
  return {r * r * r * (10 + r * (6 * r - 15)), 30 * r * r * (1 - r) * (1 - r)};
}

Pose Path::at(double time_s) const {
  if (keys.empty()) return {};
  const auto next = std::upper_bound(keys.begin(), keys.end(), time_s,
                                     [](double t, const Key& key) { return t < key.time_s; });
  if (next == keys.begin()) return pose_of(keys.front());
  if (next == keys.end()) return pose_of(keys.back());
  const Key& a = *std::prev(next);
  const Key& b = *next;
  const double share = (time_s - a.time_s) / (b.time_s - a.time_s);
  const double s = path_share(profile, share).share;
  const Quaternion q = slerp(normalized(a.orientation_wxyz), normalized(b.orientation_wxyz), s);
  return {a.position + s * (b.position - a.position), rotation_matrix(q)};
}

FrameTwist Path::rate(double time_s) const {
  const auto next = key_after(keys, time_s);
  if (next == keys.begin() || next == keys.end()) return {};
  const Key& a = *std::prev(next);
  const Key& b = *next;
  const double length = b.time_s - a.time_s;
  const double r = std::min(1.0, (time_s - a.time_s) / length);
  const double rate = path_share(profile, r).rate / length;
  const Quaternion turn =
      normalized(b.orientation_wxyz) * conjugate(normalized(a.orientation_wxyz));
  return {rate * (b.position - a.position), rate * rotation_log(turn)};
}

void Path::validate(const std::string& prefix) const {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    const Key& key = keys[k];
    const std::string where = fmt::format("{}.{}.", prefix, k);
    require(std::isfinite(key.time_s), where + "time_s", key.time_s, "finite", "give seconds");
    if (k > 0) {
      require(key.time_s > keys[k - 1].time_s, where + "time_s", key.time_s,
              fmt::format("> {}, the time of the keyframe before", keys[k - 1].time_s),
              "list keyframes in ascending time");
    }
    if (!nodia::is_finite(key.position)) {
      throw_bad_value(where + "position_m",
                      fmt::format("[{}, {}, {}]", key.position.x, key.position.y, key.position.z),
                      "finite", "give three numbers in metres");
    }
    const Quaternion q = key.orientation_wxyz;
    if (!is_finite(q) || is_zero(q)) {
      throw_bad_value(where + "orientation_wxyz",
                      fmt::format("[{}, {}, {}, {}]", q.w, q.x, q.y, q.z), "finite and not zero",
                      "[1, 0, 0, 0] is no rotation");
    }
  }
}

}  // namespace nodia
