/// A contact of the step as a constraint on positions [Macklin et al. 2019], without compliance.
/// Friction is the strict projection on the cone of the substep's normal multiplier.
///
/// Geometry and material equal those of other solvers: frame, gap and sides at the start of the
/// step, with sides linear in the displacement of their rows since then.
#pragma once

#include <vector>

#include "host/simulation/position_based/row_motion.hpp"
#include "kernels/contact/natural_map.hpp"

namespace nodia {

struct PositionContact {
  struct Part {
    std::int32_t row;
    Mat3d J;  ///< block of the relative displacement in the contact frame
  };
  std::vector<Part> parts;
  double gap = 0;             ///< at the start of the step [m]
  double recovery_speed = 0;  ///< recovery speed of a penetration [m/s]
  Vec3d surface_velocity{};   ///< velocity of an obstacle, contact frame [m/s]
  double mu1 = 0, mu2 = 0;

  Mat3d G{};       ///< J W J^T [1/kg]
  Vec3d lambda{};  ///< h^2 force of the substep, contact frame [N s^2]
  Vec3d begin_at{};
  Vec3d mean_force{};  ///< mean over the step [N]

  void set_inertia(const RowMotion& motion) {
    G = {};
    for (const Part& p : parts)
      for (const Part& q : parts)
        if (p.row == q.row) G = G + p.J * (motion.inverse_inertia_of(p.row) * transpose(q.J));
  }
  /// Relative displacement since the start of the step, contact frame [m].
  Vec3d displacement(const RowMotion& motion) const {
    Vec3d d{};
    for (const Part& p : parts) d += p.J * motion.displacement[static_cast<std::size_t>(p.row)];
    return d;
  }
  void begin(const RowMotion& motion) {
    lambda = {};
    begin_at = displacement(motion);
  }
  /// Velocity of (11) times h: the remaining normal gap and the slip of the substep [m].
  /// @param end_s  end of the substep since the start of the step
  Vec3d violation(const RowMotion& motion, double end_s, double h) const {
    const Vec3d d = displacement(motion);
    const double allowed = gap < 0 ? std::min(0.0, gap + recovery_speed * end_s) : 0.0;
    const Vec3d slip = d - begin_at - h * surface_velocity;
    return {gap + d.x - end_s * surface_velocity.x - allowed, slip.y, slip.z};
  }
  /// Projects the normal first, then the tangents with the mean of their diagonal entries.
  void project(RowMotion* motion, double end_s, double h) {
    const Vec3d u = violation(*motion, end_s, h);
    const double normal = std::max(lambda.x - u.x / G(0, 0), 0.0), change = normal - lambda.x;
    if (normal == 0 && change == 0) return;
    const double tangent = (G(1, 1) + G(2, 2)) / 2;
    const Vec3d trial{normal, lambda.y - (u.y + G(1, 0) * change) / tangent,
                      lambda.z - (u.z + G(2, 0) * change) / tangent};
    const Vec3d next = project_strict(trial, mu1, mu2), push = next - lambda;
    lambda = next;
    for (const Part& p : parts) motion->push_row(p.row, transpose_times(p.J, push));
  }
};

}  // namespace nodia
