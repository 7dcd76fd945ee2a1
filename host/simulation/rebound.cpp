#include "host/simulation/rebound.hpp"

#include <algorithm>
#include <cmath>

namespace nodia {

double touch_speed(const Approach& approach, const TimeStep& time) {
  const double a = (approach.free_m_s - approach.velocity_m_s) / time.theta_t();
  const double w = approach.velocity_m_s + (time.theta - 0.5) * time.step_s * a;
  const double squared = w * w - 2 * a * std::max(approach.gap_m, 0.0);
  return w < 0 && squared > 0 ? std::sqrt(squared) : 0;
}

double energy_of_impact(const Mat3d& W, Vec3d u, double e, double mu1, double mu2) {
  const Vec3d after{-e * u.x, 0, 0};
  const auto energy = [&](Vec3d impulse) { return 0.5 * dot(impulse, 2.0 * u + W * impulse); };
  const Vec3d sticks = inverse(W) * (after - u);
  const double n = sticks.x, y = sticks.y, z = sticks.z;
  if (n > 0 && mu1 > 0 && mu2 > 0 && (y / mu1) * (y / mu1) + (z / mu2) * (z / mu2) <= n * n)
    return energy(sticks);
  // Slips: the tangential velocity after the impact points in the direction d, the friction against
  // it.
  const auto impulse = [&](double angle) {
    const Vec3d p{1, -mu1 * std::cos(angle), -mu2 * std::sin(angle)};
    return ((after.x - u.x) / (W * p).x) * p;
  };
  const auto across = [&](double angle) {
    const Vec3d v = u + W * impulse(angle);
    return std::cos(angle) * v.z - std::sin(angle) * v.y;
  };
  constexpr int kDirections = 48, kHalvings = 40;
  constexpr double kStep = 2 * 3.14159265358979323846 / kDirections;
  for (int k = 0; k < kDirections; ++k) {
    double low = k * kStep, high = low + kStep;
    const double at_low = across(low);
    if (at_low * across(high) > 0) continue;
    for (int h = 0; h < kHalvings; ++h) {
      const double middle = 0.5 * (low + high);
      (at_low * across(middle) > 0 ? low : high) = middle;
    }
    const Vec3d P = impulse(low), v = u + W * P;
    if (P.x > 0 && v.y * std::cos(low) + v.z * std::sin(low) >= 0) return energy(P);
  }
  return 0;
}

std::optional<Rebound> rebound(const Approach& approach, double e, const TimeStep& time) {
  const double t = time.step_s, after_start = (time.theta - 0.5) * t;
  const double a = (approach.free_m_s - approach.velocity_m_s) / time.theta_t();
  const double w = approach.velocity_m_s + after_start * a;
  const double gap = std::max(approach.gap_m, 0.0);
  const double touch = touch_speed(approach, time);
  if (!(touch > 0)) return std::nullopt;
  const double s = 2 * gap / (touch - w);
  if (!(s <= t)) return std::nullopt;
  const double rest = t - s, leaves = e * touch;
  if (!(leaves + 0.5 * a * rest > 0)) return std::nullopt;
  const double at_end = leaves + a * (rest - after_start);
  return Rebound{-time.theta * at_end - (1 - time.theta) * approach.velocity_m_s,
                 s - (1 - time.theta) * t};
}

double passive_restitution(const Mat3d& W, Vec3d u, double e, double mu1, double mu2) {
  const auto creates_energy = [&](double restitution) {
    return energy_of_impact(W, u, restitution, mu1, mu2) > 0;
  };
  if (!creates_energy(e)) return e;
  double passive = 0, active = e;
  constexpr int kHalvings = 30;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = 0.5 * (passive + active);
    (creates_energy(middle) ? active : passive) = middle;
  }
  return passive;
}

}  // namespace nodia
