#include "fem/robot/moments_of_inertia.hpp"

#include <algorithm>
#include <limits>

namespace nodia {
namespace {

constexpr double kTolerance = 1e-6;

double sum(Vec3d v) {
  return v.x + v.y + v.z;
}

/// Moments p_i = sum of the second moments s_j, j != i.
Vec3d moments_of(Vec3d second) {
  return sum(second) * Vec3d{1, 1, 1} - second;
}

/// The second moments s that minimise |moments_of(s) - p|^2, where only those with a bit in `free`
/// are not zero. With B = 1 1^T - I and n free ones, B^T B = I + 1 1^T on them: s_i = c_i -
/// sum(c)/(n + 1), c = B p.
Vec3d best_second_moments(Vec3d p, int free) {
  const Vec3d c = moments_of(p);
  double total = 0;
  int n = 0;
  for (int i = 0; i < 3; ++i)
    if (free >> i & 1) total += c[i], ++n;
  Vec3d s{};
  for (int i = 0; i < 3; ++i)
    if (free >> i & 1) s[i] = c[i] - total / (n + 1);
  return s;
}

}  // namespace

bool are_moments_of_a_body(Vec3d moments) {
  const auto [least, greatest] = std::minmax({moments.x, moments.y, moments.z});
  return least > 0 && greatest <= (sum(moments) - greatest) * (1 + kTolerance);
}

Vec3d nearest_moments(Vec3d moments) {
  // The second moments that are zero in the optimum are among 2^3 sets.
  Vec3d nearest{};
  double least = std::numeric_limits<double>::infinity();
  for (int free = 0; free < 8; ++free) {
    const Vec3d s = best_second_moments(moments, free);
    if (std::min({s.x, s.y, s.z}) < 0) continue;
    const double distance = squared_norm(moments_of(s) - moments);
    if (distance < least) {
      least = distance;
      nearest = moments_of(s);
    }
  }
  const double floor = kLeastMoment * std::max({nearest.x, nearest.y, nearest.z});
  for (int i = 0; i < 3; ++i) nearest[i] = std::max(nearest[i], floor);
  return nearest;
}

}  // namespace nodia
