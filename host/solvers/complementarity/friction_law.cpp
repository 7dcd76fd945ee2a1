#include "host/solvers/complementarity/friction_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "kernels/contact/law.hpp"
#include "kernels/contact/natural_map.hpp"

namespace nodia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Vec2 {
  double x = 0, y = 0;
};
Vec2 operator-(Vec2 a, Vec2 b) {
  return {a.x - b.x, a.y - b.y};
}
Vec2 operator+(Vec2 a, Vec2 b) {
  return {a.x + b.x, a.y + b.y};
}
Vec2 operator*(double s, Vec2 a) {
  return {s * a.x, s * a.y};
}
double dot(Vec2 a, Vec2 b) {
  return a.x * b.x + a.y * b.y;
}
double cross(Vec2 a, Vec2 b) {
  return a.x * b.y - a.y * b.x;
}

/// Corner k of the polygon in the ellipse with half axes s1, s2.
Vec2 corner(int k, int facets, double s1, double s2) {
  const int quarter = 4 * (k % facets);
  // Corners on the axes are exact.
  if (quarter == 0) return {s1, 0};
  if (quarter == facets) return {0, s2};
  if (quarter == 2 * facets) return {-s1, 0};
  if (quarter == 3 * facets) return {0, -s2};
  const double angle = 2 * std::numbers::pi * k / facets;
  return {s1 * std::cos(angle), s2 * std::sin(angle)};
}

Vec2 nearest_on_segment(Vec2 t, Vec2 a, Vec2 b) {
  const Vec2 ab = b - a;
  const double squared = dot(ab, ab);
  const double share = squared > 0 ? std::clamp(dot(t - a, ab) / squared, 0.0, 1.0) : 0;
  return a + share * ab;
}

Vec2 nearest_in_polygon(Vec2 t, int facets, double s1, double s2) {
  bool inside = s1 > 0 && s2 > 0;
  Vec2 best{};
  double least = kInfinity;
  for (int k = 0; k < facets; ++k) {
    const Vec2 a = corner(k, facets, s1, s2), b = corner(k + 1, facets, s1, s2);
    if (cross(b - a, t - a) < 0) inside = false;
    const Vec2 p = nearest_on_segment(t, a, b);
    const double squared = dot(t - p, t - p);
    if (squared < least) {
      least = squared;
      best = p;
    }
  }
  return inside || std::isnan(t.x + t.y) ? t : best;
}

/// Distance of velocity w to the cone of velocities for which every point between a and b
/// dissipates most, in the metric of 1/(2a_i): w = -s n, s >= 0, n the outer normal of the side.
/// The coordinates w_i/sqrt(a_i), x_i sqrt(a_i) preserve normals.
double side_energy(Vec2 w, Vec2 a, Vec2 b) {
  const Vec2 along = b - a;
  const double squared = dot(along, along);
  if (!(squared > 0)) return kInfinity;
  const Vec2 outer{along.y, -along.x};
  const double along_w = dot(w, along), outer_w = dot(w, outer);
  const double inward = std::max(outer_w, 0.0);
  return (along_w * along_w + inward * inward) / (2 * squared);
}

/// Same for a corner between two sides: the cone -{ n1, n2 }.
double corner_energy(Vec2 w, Vec2 before, Vec2 at, Vec2 after) {
  const bool dissipates_most = dot(w, before - at) >= 0 && dot(w, after - at) >= 0;
  return dissipates_most ? 0 : std::min(side_energy(w, before, at), side_energy(w, at, after));
}

double tangent_energy_polygon(const ContactImpulse& c, int facets) {
  const double n = std::max(c.x.x, 0.0);
  const double r1 = std::sqrt(c.a.y), r2 = std::sqrt(c.a.z);
  const double s1 = c.mu1 * n * r1, s2 = c.mu2 * n * r2;
  const Vec2 x{c.x.y * r1, c.x.z * r2}, w{c.w.y / r1, c.w.z / r2};
  if (!(s1 > 0) && !(s2 > 0)) return dot(x, x) / 2;
  const Vec2 inside = nearest_in_polygon(x, facets, s1, s2);
  double least = dot(x - inside, x - inside) / 2 + dot(w, w) / 2;  // the whole polygon
  for (int k = 0; k < facets; ++k) {
    const Vec2 before = corner(k + facets - 1, facets, s1, s2), at = corner(k, facets, s1, s2),
               after = corner(k + 1, facets, s1, s2);
    const Vec2 to_side = x - nearest_on_segment(x, at, after), to_corner = x - at;
    least = std::min({least, dot(to_side, to_side) / 2 + side_energy(w, at, after),
                      dot(to_corner, to_corner) / 2 + corner_energy(w, before, at, after)});
  }
  return std::isnan(dot(x, x) + dot(w, w)) ? dot(x, x) + dot(w, w) : least;
}

}  // namespace

Vec3d FrictionLaw::project(Vec3d trial, double mu1, double mu2) const {
  if (section == Section::disc) return nodia::project(projection, trial, mu1, mu2);
  const double n = trial.x <= 0 ? 0 : trial.x;
  if (section == Section::box)
    return {n, detail::clamp_abs(trial.y, mu1 * n), detail::clamp_abs(trial.z, mu2 * n)};
  const Vec2 t = nearest_in_polygon({trial.y, trial.z}, facets, mu1 * n, mu2 * n);
  return {n, t.x, t.y};
}

Vec3d FrictionLaw::natural_map(Vec3d force, Vec3d velocity, double d, double mu1,
                               double mu2) const {
  if (section == Section::disc) return nodia::natural_map(force, velocity, d, mu1, mu2, projection);
  const Vec3d trial = force - (1 / d) * velocity;
  const Vec3d tangent = project({force.x, trial.y, trial.z}, mu1, mu2);
  return {force.x - std::max(trial.x, 0.0), force.y - tangent.y, force.z - tangent.z};
}

double FrictionLaw::energy_error(const ContactImpulse& c) const {
  switch (section) {
    case Section::box:
      return energy_error_box(c);
    case Section::polygon:
      return energy_error_scalar(c.x.x, c.w.x, c.a.x, 0, kInfinity) +
             tangent_energy_polygon(c, facets);
    case Section::disc:
      break;
  }
  if (projection == Projection::strict) return energy_error_cone(c);
  ContactImpulse relaxed = c;
  relaxed.w.x -= std::hypot(c.mu1 * c.w.y, c.mu2 * c.w.z);
  return energy_error_cone(relaxed);
}

}  // namespace nodia
