/// Points of a segment or a circle that are closest to a body given by its distance.
#pragma once

#include <cmath>
#include <numbers>

#include "kernels/contact/shapes/shape.hpp"

namespace nodia {

/// Parameter in (0, 1) on the segment a -> b where the distance is minimal; -1 if it is not lower
/// than at both ends by more than 1e-9 of the length.
/// @param distance  point -> SurfaceDistance, in one frame with a and b
template <class Distance>
double least_inside(Vec3d a, Vec3d b, const Distance& distance) {
  constexpr int kSamples = 8;  // brackets the lowest of several minima; a convex shape has one
  constexpr int kBisections = 48;
  const Vec3d axis = b - a;
  double value[kSamples + 1];
  int lowest = 0;
  for (int k = 0; k <= kSamples; ++k) {
    value[k] = distance(a + (k / double{kSamples}) * axis).distance;
    if (value[k] < value[lowest]) lowest = k;
  }
  double lo = std::fmax(0.0, lowest - 1) / kSamples;
  double hi = std::fmin(double{kSamples}, lowest + 1) / kSamples;
  for (int round = 0; round < kBisections; ++round) {
    const double s = 0.5 * (lo + hi);
    (dot(distance(a + s * axis).normal, axis) > 0 ? hi : lo) = s;
  }
  const double s = 0.5 * (lo + hi);
  const double least = distance(a + s * axis).distance;
  const bool is_inside = least < std::fmin(value[0], value[kSamples]) - 1e-9 * norm(axis);
  return is_inside && s > 0 && s < 1 ? s : -1;
}

/// Angle on the circle of radius r about c, in the plane z = c.z, where the distance is minimal
/// [rad]; 0 if it varies by less than 1e-6 r.
template <class Distance>
double least_angle(Vec3d c, double r, const Distance& distance) {
  constexpr int kSamples = 16;
  constexpr int kBisections = 48;
  const auto on_circle = [&](double angle) {
    return c + Vec3d{r * std::cos(angle), r * std::sin(angle), 0};
  };
  const double spacing = 2 * std::numbers::pi / kSamples;
  double least = HUGE_VAL, most = -HUGE_VAL, best = 0;
  for (int k = 0; k < kSamples; ++k) {
    const double d = distance(on_circle(spacing * k)).distance;
    if (d < least) best = spacing * k;
    least = std::fmin(least, d);
    most = std::fmax(most, d);
  }
  if (!(most - least > 1e-6 * r)) return 0;
  double lo = best - spacing, hi = best + spacing;
  for (int round = 0; round < kBisections; ++round) {
    const double angle = 0.5 * (lo + hi);
    const Vec3d tangent{-std::sin(angle), std::cos(angle), 0};
    (dot(distance(on_circle(angle)).normal, tangent) > 0 ? hi : lo) = angle;
  }
  return 0.5 * (lo + hi);
}

}  // namespace nodia
