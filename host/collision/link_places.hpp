/// Places on the axis of a rod's link that may touch a shape.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>

#include "host/collision/index.hpp"
#include "kernels/contact/shapes.hpp"

namespace nodia {

/// Part of the segment a -> b inside a sphere, as parameters from 0 to 1; the first is not less
/// than the second if there is none.
inline std::pair<double, double> part_in_sphere(Vec3d a, Vec3d b, Vec3d centre, double radius) {
  const double length = norm(b - a);
  const double nearest = dot(centre - a, b - a) / (length * length);
  const double squared = radius * radius - squared_norm(a + nearest * (b - a) - centre);
  if (!(squared > 0)) return {1, 0};
  const double half = std::sqrt(squared) / length;
  return {std::max(0.0, nearest - half), std::min(1.0, nearest + half)};
}

/// Calls visit(k, s) for the places a + s (b - a), s in (0, 1), where a link may touch a shape:
/// every local minimum of the distance that 16 samples of the part near the shape separate, and,
/// where the distance is nearly constant about it, the ends of this part that are more than two
/// diameters from it. A link across a flat face is thus carried by both of its edges, one across a
/// torus at both sides. k numbers the places from a.
/// @param radius    of the link [m]
/// @param part      parameters between which the shape may be near (part_in_sphere())
/// @param distance  point -> SurfaceDistance, in one frame with a and b
template <class Distance, class Visit>
void for_each_link_place(Vec3d a, Vec3d b, double radius, std::pair<double, double> part,
                         const Distance& distance, const Visit& visit) {
  constexpr int kSamples = 16, kBisections = 48;
  constexpr double kRising = 1e-9, kSteep = 0.05;  // sines
  const double length = norm(b - a);
  if (!(length > 0) || !(part.first < part.second)) return;
  const auto slope_at = [&](double s) {
    return dot(distance(a + s * (b - a)).normal, b - a) / length;
  };
  // Where the slope passes `bound` between lo, where it is at most that, and hi.
  const auto place_of = [&](double bound, double lo, double hi) {
    for (int round = 0; round < kBisections; ++round) {
      const double s = 0.5 * (lo + hi);
      (slope_at(s) > bound ? hi : lo) = s;
    }
    return 0.5 * (lo + hi);
  };
  std::array<double, kSamples + 1> place{}, slope{};
  for (int n = 0; n <= kSamples; ++n) {
    place[at(n)] = part.first + (n / double{kSamples}) * (part.second - part.first);
    slope[at(n)] = slope_at(place[at(n)]);
  }
  // The nearest sample from n on that is steep, before the slope changes its sign; -1: none.
  const auto steep_from = [&](int n, int step) {
    for (; n >= 0 && n <= kSamples && step * slope[at(n)] >= -kRising; n += step)
      if (step * slope[at(n)] > kSteep) return n;
    return -1;
  };
  std::int32_t k = 0;
  int falling = -1;  // last sample where the distance falls, since it last rose
  for (int n = 0; n <= kSamples; ++n) {
    if (slope[at(n)] < -kRising) falling = n;
    if (!(slope[at(n)] > kRising)) continue;
    if (falling >= 0) {
      const double least = place_of(0, place[at(falling)], place[at(n)]);
      visit(k, least);
      const auto visit_end = [&](std::int32_t number, double end) {
        const double from_end = std::min(end, 1 - end) * length;
        if (from_end > radius && std::fabs(end - least) * length > 4 * radius) visit(number, end);
      };
      if (const int before = steep_from(falling, -1); before >= 0)
        visit_end(k + 1, place_of(-kSteep, place[at(before)], least));
      if (const int after = steep_from(n, 1); after >= 0)
        visit_end(k + 2, place_of(kSteep, least, place[at(after)]));
      k += 3;
    }
    falling = -1;
  }
}

}  // namespace nodia
