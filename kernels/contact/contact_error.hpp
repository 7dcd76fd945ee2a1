/// How far forces and velocities of contacts are from their law: the one measure of every solver,
/// in its iteration and in its report.
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Largest values over the contacts that were added; NaN where any of them is. A velocity of d_m
/// times a force is one of what the contact's compliance d_m makes of it.
struct ContactError {
  double worst = 0;        ///< of d_m |natural map| [m/s]
  double force_scale = 0;  ///< of d_m |lambda_m| [m/s]
  double speed_scale = 0;  ///< of |u_m| [m/s]

  /// @param map     natural-map residual of the contact's law [N]
  /// @param lambda  [N]
  /// @param u       the velocity that the law is held for [m/s]
  /// @param d       compliance of the contact, > 0 [m/(N s)]
  NODIA_HD void add(Vec3d map, Vec3d lambda, Vec3d u, double d) {
    worst = larger_or_nan(d * norm(map), worst);
    force_scale = larger_or_nan(d * norm(lambda), force_scale);
    speed_scale = larger_or_nan(norm(u), speed_scale);
  }
  /// What `worst` is held against [m/s].
  NODIA_HD double scale() const { return larger_or_nan(force_scale, speed_scale); }
};

}  // namespace nodia
