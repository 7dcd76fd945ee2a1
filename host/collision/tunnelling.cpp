/// Swept-path tests for points and segments against moving triangles and segments.
#include "host/collision/tunnelling.hpp"

#include <algorithm>
#include <cmath>

namespace nodia {
namespace {

constexpr double kSlack =
    1e-9;  // slack of barycentric coordinates, so that a path through an edge is found

Vec3d between(Vec3d a, Vec3d b, double s) {
  return a + s * (b - a);
}

/// Calls visit(s, is_falling) for the sign changes in [0, 1] of the cubic through f(0), f(1/3),
/// f(2/3), f(1), ascending.
template <class F, class Visit>
void for_each_sign_change(const F& f, const Visit& visit) {
  const double f0 = f(0), f1 = f(1.0 / 3), f2 = f(2.0 / 3), f3 = f(1);
  // f = f0 + c1 s + c2 s^2 + c3 s^3
  const double c1 = 0.5 * (-11 * f0 + 18 * f1 - 9 * f2 + 2 * f3);
  const double c2 = 4.5 * (2 * f0 - 5 * f1 + 4 * f2 - f3);
  const double c3 = 4.5 * (-f0 + 3 * f1 - 3 * f2 + f3);
  double cut[4] = {0, 1, 1, 1};
  int n_cut = 1;
  // Roots of the slope c1 + 2 c2 s + 3 c3 s^2.
  const double discriminant = c2 * c2 - 3 * c1 * c3;
  if (discriminant >= 0) {
    const double q = -(c2 + std::copysign(std::sqrt(discriminant), c2));
    double roots[2] = {c3 != 0 ? q / (3 * c3) : -1, q != 0 ? c1 / q : -1};
    if (roots[1] < roots[0]) std::swap(roots[0], roots[1]);
    for (const double s : roots)
      if (s > cut[n_cut - 1] && s < 1) cut[n_cut++] = s;
  }
  cut[n_cut] = 1;
  for (int k = 0; k < n_cut; ++k) {
    double lo = cut[k], hi = cut[k + 1];
    const bool from_positive = f(lo) > 0;
    if (from_positive == (f(hi) > 0)) continue;
    for (int round = 0; round < 60; ++round) {
      const double s = 0.5 * (lo + hi);
      ((f(s) > 0) == from_positive ? lo : hi) = s;
    }
    visit(0.5 * (lo + hi), from_positive);
  }
}

}  // namespace

void find_crossings(Vec3d a, Vec3d b, const MovingTriangle& triangle, std::vector<Crossing>* out) {
  const auto corner = [&](std::size_t k, double s) {
    return between(triangle.now[k], triangle.end[k], s);
  };
  const auto area_at = [&](double s) {
    return cross(corner(1, s) - corner(0, s), corner(2, s) - corner(0, s));
  };
  const auto height = [&](double s) { return dot(between(a, b, s) - corner(0, s), area_at(s)); };
  for_each_sign_change(height, [&](double s, bool enters) {
    const Vec3d p = between(a, b, s), area = area_at(s);
    const double squared = squared_norm(area);
    if (!(squared > 0)) return;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3d p_k = corner(k, s), q_k = corner((k + 1) % 3, s);
      if (dot(cross(q_k - p_k, p - p_k), area) < -kSlack * squared) return;
    }
    const Vec3d end_area = area_at(1);
    const double end_size = norm(end_area);
    const double depth = end_size > 0 ? -height(1) / end_size : 0;
    out->push_back({s, (1 / std::sqrt(squared)) * area, enters, depth});
  });
}

WayEnd end_of_crossings(std::vector<Crossing>* crossings, bool is_closed) {
  std::sort(crossings->begin(), crossings->end(),
            [](const Crossing& a, const Crossing& b) { return a.time < b.time; });
  // A path through a shared edge crosses both triangles.
  const auto same = [](const Crossing& a, const Crossing& b) {
    return b.time - a.time < kSlack && a.enters == b.enters;
  };
  crossings->erase(std::unique(crossings->begin(), crossings->end(), same), crossings->end());
  if (crossings->empty()) return {};
  const Crossing& last = crossings->back();
  if (!is_closed) {
    if (crossings->size() % 2 == 0) return {};
    return {WayEnd::Where::through, std::fabs(last.depth_m)};
  }
  if (last.enters) return {WayEnd::Where::inside, last.depth_m};
  for (const Crossing& c : *crossings)
    if (c.enters && dot(c.normal, last.normal) < 0) return {WayEnd::Where::through, c.depth_m};
  return {};
}

bool segments_cross(const std::array<Vec3d, 2>& a_now, const std::array<Vec3d, 2>& a_end,
                    const std::array<Vec3d, 2>& b_now, const std::array<Vec3d, 2>& b_end) {
  const auto at = [](const std::array<Vec3d, 2>& now, const std::array<Vec3d, 2>& end,
                     std::size_t k, double s) { return between(now[k], end[k], s); };
  const auto volume = [&](double s) {
    const Vec3d a = at(a_now, a_end, 0, s), b = at(b_now, b_end, 0, s);
    return dot(b - a, cross(at(a_now, a_end, 1, s) - a, at(b_now, b_end, 1, s) - b));
  };
  bool crosses = false;
  for_each_sign_change(volume, [&](double s, bool) {
    const Vec3d a = at(a_now, a_end, 0, s), b = at(b_now, b_end, 0, s);
    const Vec3d da = at(a_now, a_end, 1, s) - a, db = at(b_now, b_end, 1, s) - b;
    const Vec3d normal = cross(da, db);
    const double squared = squared_norm(normal);
    if (!(squared > 0)) return;
    // a + p da = b + q db, all in one plane.
    const double p = dot(cross(b - a, db), normal) / squared;
    const double q = dot(cross(b - a, da), normal) / squared;
    crosses = crosses || (p >= -kSlack && p <= 1 + kSlack && q >= -kSlack && q <= 1 + kSlack);
  });
  return crosses;
}

}  // namespace nodia
