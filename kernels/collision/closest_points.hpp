/// Closest points of points, segments and triangles, host and device.
///
/// Every result is the best of a few points on the primitives, so a rounded distance is below the
/// true one by at most the rounding of its evaluation. Degenerate primitives need no special case:
/// a triangle without area equals its edges, a segment without length its first end.
#pragma once

#include <cmath>
#include <numbers>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Corners of a triangle that span a point of it: a = 1, b = 2, c = 4, their sum on edges (ab = 3,
/// ca = 5, bc = 6) and on the face (7).
enum TriangleFeature : int {
  kCornerA = 1,
  kCornerB = 2,
  kEdgeAB = 3,
  kCornerC = 4,
  kEdgeCA = 5,
  kEdgeBC = 6,
  kFace = 7
};

/// Point w.x a + w.y b + w.z c of a triangle.
struct TrianglePoint {
  Vec3d weight{1, 0, 0};               ///< barycentric, >= 0, sum 1; exactly 0 off the feature
  Vec3d point{};                       ///< [m]
  double squared_distance = HUGE_VAL;  ///< to the query point [m^2]
  int feature = kCornerA;              ///< TriangleFeature
};

/// Points a0 + s (a1 - a0) and b0 + t (b1 - b0).
struct SegmentPoints {
  double s = 0, t = 0;                 ///< in [0, 1]; exactly 0 or 1 at the ends
  Vec3d on_a{}, on_b{};                ///< [m]
  double squared_distance = HUGE_VAL;  ///< [m^2]
};

/// Parameter in [0, 1] of the point of the segment a + s (b - a) closest to p; 0 if b = a.
NODIA_HD double closest_on_segment(Vec3d p, Vec3d a, Vec3d b) {
  const Vec3d ab = b - a;
  const double length2 = squared_norm(ab);
  const double along = dot(p - a, ab);
  if (!(length2 > 0) || !(along > 0)) return 0;
  return along < length2 ? along / length2 : 1;
}

namespace detail {
/// Replaces `best` by the point a + s (b - a) of an edge if it is closer to p.
NODIA_HD void take_edge_point(Vec3d p, Vec3d a, Vec3d b, int ia, int ib, TrianglePoint* best) {
  const double s = closest_on_segment(p, a, b);
  const Vec3d point = s == 0 ? a : (s == 1 ? b : a + s * (b - a));
  const double d2 = squared_norm(p - point);
  if (!(d2 < best->squared_distance)) return;
  best->squared_distance = d2;
  best->point = point;
  best->weight = {};
  best->weight[ia] = 1 - s;
  best->weight[ib] = s;
  best->feature = (s < 1 ? 1 << ia : 0) | (s > 0 ? 1 << ib : 0);
}

/// Replaces `best` by the points s of the segment a and t of b if they are closer.
NODIA_HD void take_segment_points(Vec3d a0, Vec3d a1, Vec3d b0, Vec3d b1, double s, double t,
                                  SegmentPoints* best) {
  const Vec3d on_a = s == 0 ? a0 : (s == 1 ? a1 : a0 + s * (a1 - a0));
  const Vec3d on_b = t == 0 ? b0 : (t == 1 ? b1 : b0 + t * (b1 - b0));
  const double d2 = squared_norm(on_a - on_b);
  if (d2 < best->squared_distance) *best = {s, t, on_a, on_b, d2};
}
}  // namespace detail

/// Point of the triangle (a, b, c) closest to p. If several features contain the point, the one
/// with the fewest corners counts.
NODIA_HD TrianglePoint closest_on_triangle(Vec3d p, Vec3d a, Vec3d b, Vec3d c) {
  TrianglePoint best;
  detail::take_edge_point(p, a, b, 0, 1, &best);
  detail::take_edge_point(p, b, c, 1, 2, &best);
  detail::take_edge_point(p, c, a, 2, 0, &best);
  // Sub-triangles of the projection of p, doubled areas times |n|; all positive inside.
  const Vec3d n = cross(b - a, c - a);
  const double wa = dot(n, cross(c - b, p - b));
  const double wb = dot(n, cross(a - c, p - c));
  const double wc = dot(n, cross(b - a, p - a));
  const double sum = wa + wb + wc;
  if (wa > 0 && wb > 0 && wc > 0 && sum < HUGE_VAL) {
    const Vec3d foot = a + (wb / sum) * (b - a) + (wc / sum) * (c - a);
    const double d2 = squared_norm(p - foot);
    if (d2 < best.squared_distance) best = {{wa / sum, wb / sum, wc / sum}, foot, d2, kFace};
  }
  return best;
}

/// Sine below which two segments count as parallel: over a length L their distance varies by less
/// than 1e-12 L.
inline constexpr double kParallelSine = 1e-12;

/// Closest points of the segments a and b. Parallel segments: the middle of the common part.
NODIA_HD SegmentPoints closest_on_segments(Vec3d a0, Vec3d a1, Vec3d b0, Vec3d b1) {
  // The squared distance is convex in (s, t): its minimum over the square is on an edge (an end
  // against a segment), or where both derivatives vanish.
  SegmentPoints best;
  detail::take_segment_points(a0, a1, b0, b1, 0, closest_on_segment(a0, b0, b1), &best);
  detail::take_segment_points(a0, a1, b0, b1, 1, closest_on_segment(a1, b0, b1), &best);
  detail::take_segment_points(a0, a1, b0, b1, closest_on_segment(b0, a0, a1), 0, &best);
  detail::take_segment_points(a0, a1, b0, b1, closest_on_segment(b1, a0, a1), 1, &best);

  const Vec3d da = a1 - a0, db = b1 - b0, r = b0 - a0;
  const double aa = squared_norm(da), bb = squared_norm(db);
  if (!(aa > 0) || !(bb > 0)) return best;
  const Vec3d n = cross(da, db);
  const double nn = squared_norm(n);
  if (nn > kParallelSine * kParallelSine * aa * bb) {
    // r + t db - s da is parallel to n.
    const double s = dot(cross(r, db), n) / nn, t = dot(cross(r, da), n) / nn;
    if (s > 0 && s < 1 && t > 0 && t < 1) {
      // Corrects the rounded point: for nearly parallel segments s and t are inaccurate.
      const double t1 = closest_on_segment(a0 + s * da, b0, b1);
      const double s1 = closest_on_segment(b0 + t1 * db, a0, a1);
      detail::take_segment_points(a0, a1, b0, b1, s1, t1, &best);
    }
    return best;
  }
  const double u = dot(r, da) / aa, v = dot(b1 - a0, da) / aa;
  const double lo = std::fmax(0.0, std::fmin(u, v)), hi = std::fmin(1.0, std::fmax(u, v));
  if (lo < hi) {
    const double s = 0.5 * (lo + hi);
    const double t = closest_on_segment(a0 + s * da, b0, b1);
    const SegmentPoints end = best;
    best.squared_distance = HUGE_VAL;
    detail::take_segment_points(a0, a1, b0, b1, s, t, &best);
    if (best.squared_distance == HUGE_VAL) best = end;
  }
  return best;
}

/// Direction of d, or `fallback` if d is too short.
/// @param length  output: |d|, 0 if `fallback` is returned
NODIA_HD Vec3d direction_or(Vec3d d, Vec3d fallback, double* length) {
  *length = norm(d);
  if (*length > 1e-150 && *length < HUGE_VAL) return (1 / *length) * d;
  *length = 0;
  return fallback;
}

/// Unit normal of the triangle (a, b, c) by the right-hand rule; zero if it has no area.
NODIA_HD Vec3d triangle_normal(Vec3d a, Vec3d b, Vec3d c) {
  double length = 0;
  return direction_or(cross(b - a, c - a), {}, &length);
}

/// Angle of (x, y) from the x axis [rad], y >= 0; 0 for (0, 0). Accurate to a few units in the last
/// place, with operations that every processor rounds alike, unlike the libraries' atan2.
NODIA_HD double angle_from_x(double y, double x) {
  // Angle to the nearer half of the axis: the tangents of half and of one eighth of it, so that the
  // arctangent series is short.
  constexpr double kTerm[] = {1.0 / 25, 1.0 / 23, 1.0 / 21, 1.0 / 19, 1.0 / 17, 1.0 / 15, 1.0 / 13,
                              1.0 / 11, 1.0 / 9,  1.0 / 7,  1.0 / 5,  1.0 / 3,  1.0};
  const double whole = std::sqrt(x * x + y * y) + std::fabs(x);
  double t = whole > 0 ? y / whole : 0;
  for (int k = 0; k < 2; ++k) t = t / (1 + std::sqrt(1 + t * t));
  double sum = 0;
  for (const double term : kTerm) sum = term - t * t * sum;
  const double angle = 8 * (t * sum);
  return x < 0 ? std::numbers::pi - angle : angle;
}

/// Angle of the triangle at a [rad]; 0 if an edge at a has no length.
NODIA_HD double corner_angle(Vec3d a, Vec3d b, Vec3d c) {
  const Vec3d u = b - a, v = c - a;
  return angle_from_x(norm(cross(u, v)), dot(u, v));
}

}  // namespace nodia
