/// Formulas of the free motion (host/simulation/free_motion.hpp), shared by host and kernels.
#pragma once

#include <cstdint>

#include "kernels/core/mat3.hpp"

namespace nodia {

/// v + t g [m/s]
NODIA_HD Vec3d fallen(Vec3d v, double step_s, Vec3d gravity_m_s2) {
  return v + step_s * gravity_m_s2;
}

/// u + t f/m [m/s]: velocity of a falling mass with its share f of the external forces.
NODIA_HD Vec3d accelerated(Vec3d u, double step_s, double mass_kg, Vec3d force_N) {
  return squared_norm(force_N) == 0 ? u : u + (step_s / mass_kg) * force_N;
}

/// A_ii^-1 r_i [m/s]: velocity change of a row by the other forces.
NODIA_HD Vec3d own_share(const Mat3d& diagonal_block, Vec3d residual) {
  return inverse(diagonal_block) * residual;
}

/// Sums over rows that translate together.
struct TranslationSum {
  Vec3d force{};      ///< sum of the residuals [N]
  double weight = 0;  ///< sum over their coupling blocks of the mean diagonal [kg/s]

  NODIA_HD void add_block(double xx, double yy, double zz) { weight += (xx + yy + zz) / 3; }
  NODIA_HD void operator+=(const TranslationSum& other) {
    force += other.force;
    weight += other.weight;
  }
  /// Velocity change of the rows [m/s].
  NODIA_HD Vec3d velocity() const { return weight > 0 ? (1 / weight) * force : Vec3d{}; }
};

}  // namespace nodia
