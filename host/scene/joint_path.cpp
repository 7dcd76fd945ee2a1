#include "host/scene/joint_path.hpp"

#include <algorithm>

namespace nodia {

JointTarget joint_target_at(const std::vector<JointDriveDescription::Key>& path, double time_s) {
  const auto next =
      std::upper_bound(path.begin(), path.end(), time_s,
                       [](double time, const auto& key) { return time < key.time_s; });
  if (next == path.begin()) return {path.front().target, 0};
  if (next == path.end()) return {path.back().target, 0};
  const auto& a = *std::prev(next);
  const double length = next->time_s - a.time_s, r = (time_s - a.time_s) / length;
  const double way = next->target - a.target;
  return {a.target + way * r * r * r * (10 + r * (6 * r - 15)),
          way / length * 30 * r * r * (1 - r) * (1 - r)};
}

}  // namespace nodia
