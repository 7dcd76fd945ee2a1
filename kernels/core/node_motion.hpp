/// Motion of a node as a point mass.
#pragma once

#include "kernels/core/time_step.hpp"

namespace nodia {

struct NodeMotion {
  Vec3d x{};  ///< position [m]
  Vec3d v{};  ///< velocity [m/s]
};

NODIA_HD bool is_finite(const NodeMotion& node) {
  return is_finite(node.v) && is_finite(node.x);
}

/// Motion at the end of a step:  v := v_next(v_hat, v),   x := x + t v_hat
NODIA_HD NodeMotion end_of_step(const TimeStep& step, const NodeMotion& start, Vec3d v_hat) {
  return {start.x + step.step_s * v_hat, step.next_velocity(v_hat, start.v)};
}

/// Kinetic energy of a node [J].
NODIA_HD double kinetic_energy(double mass_kg, Vec3d v) {
  return 0.5 * mass_kg * squared_norm(v);
}
/// Potential energy of a node in the gravity field, zero at the origin [J].
NODIA_HD double gravity_energy(double mass_kg, Vec3d gravity, Vec3d x) {
  return -(mass_kg * dot(gravity, x));
}

}  // namespace nodia
