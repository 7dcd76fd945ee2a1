/// Error of contact forces and velocities in the contact law: the common measure of every solver,
/// in its iteration and in its report.
#pragma once

#include "kernels/core/numbers.hpp"
#include "kernels/core/vec3.hpp"

namespace nodia {

/// Maxima over the contacts; NaN if any value is NaN. d_m is the compliance of contact m [m/(N s)].
struct ContactError {
  double worst = 0;        ///< maximum of d_m |natural map| [m/s]
  double force_scale = 0;  ///< maximum of d_m |lambda_m| [m/s]
  double speed_scale = 0;  ///< maximum of |u_m| [m/s]

  /// Adds a contact.
  /// @param map     natural-map residual of the contact's law [N]
  /// @param lambda  contact force [N]
  /// @param u       velocity with which the law is evaluated [m/s]
  /// @param d       compliance of the contact, > 0 [m/(N s)]
  NODIA_HD void add(Vec3d map, Vec3d lambda, Vec3d u, double d) {
    worst = larger_or_nan(d * norm(map), worst);
    force_scale = larger_or_nan(d * norm(lambda), force_scale);
    speed_scale = larger_or_nan(norm(u), speed_scale);
  }
  /// Scale of `worst` [m/s].
  NODIA_HD double scale() const { return larger_or_nan(force_scale, speed_scale); }
};

}  // namespace nodia
