/// A node as a point mass that moves.
#pragma once

#include "kernels/core/time_step.hpp"

namespace nodia {

struct NodeMotion {
  Vec3d x{};  ///< [m]
  Vec3d v{};  ///< [m/s]
};

NODIA_HD bool is_finite(const NodeMotion& node) {
  return is_finite(node.v) && is_finite(node.x);
}

/// At the end of a step:  v := v_next(v_hat, v),   x := x + t v_hat
NODIA_HD NodeMotion end_of_step(const TimeStep& step, const NodeMotion& start, Vec3d v_hat) {
  return {start.x + step.step_s * v_hat, step.next_velocity(v_hat, start.v)};
}

/// [J]
NODIA_HD double kinetic_energy(double mass_kg, Vec3d v) {
  return 0.5 * mass_kg * squared_norm(v);
}
/// [J], zero at the origin
NODIA_HD double gravity_energy(double mass_kg, Vec3d gravity, Vec3d x) {
  return -(mass_kg * dot(gravity, x));
}

}  // namespace nodia
