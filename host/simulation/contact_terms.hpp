/// phi of a contact in one step: gap, restitution, penetration recovery, moving surfaces.
#pragma once

#include "host/scene/scene.hpp"

namespace nodia {

/// Two near points at the start of a step.
struct ContactMotion {
  double gap_m = 0;
  Vec3d velocity{};  ///< of i now, less that of j now where j is a body of the system [m/s]
  /// Where j is an obstacle: of its surface, mean over the step [m/s].
  Vec3d surface_velocity{};
};

/// phi for u = R v_hat + phi of (11), in the contact frame [m/s]. With the relative velocity v_r =
/// velocity - surface_velocity now and approach speed a = max(0, -v_r,n), e the restitution (0 for
/// a below the rest speed):
///
///   not closing (gap + t v_r,n > 0)  phi_n = gap/t
///   closing, theta = 1               phi_n = min(gap/t, -e a) if e > 0, else gap/t
///   closing, theta < 1               phi_n = ((1 - theta) - theta e) a
///   penetrating (gap < 0)            max(beta gap/t, -cap) stands for gap/t, and bounds phi_n from
///                                    above
///   theta < 1                        phi_t = -(1 - theta) v_r,t : stick brings the next velocity
///                                    to rest, not v_hat
///
/// and v_surface is subtracted in all components. A closing contact with theta < 1 may penetrate by
/// (1-theta)(1-e) a t.
/// @param R  contact frame (n, t1, t2)
Vec3d contact_phi(const ContactMotion& motion, const Mat3d& R, double restitution,
                  const TimeOptions& time, const ContactOptions& options);

}  // namespace nodia
