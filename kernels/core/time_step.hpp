/// Time scheme of a step (Lee et al., (9)): forces act at the configuration after theta t,
///
///   A = M/(theta t) + theta t K + D,   A v_hat = M/(theta t) v + f,   q_next = q + t v_hat
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

struct TimeStep {
  double step_s = 0.01;  ///< t [s], in (0, 1]
  double theta = 1;      ///< in [1/2, 1]: 1/2 midpoint, 1 linearised implicit Euler

  /// theta t [s].
  NODIA_HD double theta_t() const { return theta * step_s; }
  /// m/(theta t) [kg/s].
  NODIA_HD double mass_rate(double mass_kg) const { return mass_kg / theta_t(); }

  /// v_next = (v_hat - (1 - theta) v)/theta [m/s].
  NODIA_HD double next_velocity(double v_hat, double v) const {
    return (v_hat - (1 - theta) * v) / theta;
  }
  NODIA_HD Vec3d next_velocity(Vec3d v_hat, Vec3d v) const {
    return (1 / theta) * (v_hat - (1 - theta) * v);
  }
};

}  // namespace nodia
