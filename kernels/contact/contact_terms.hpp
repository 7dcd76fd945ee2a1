/// Terms of a contact between two near points: frame, gap, restitution, penetration recovery and
/// friction, and the compliance of a node. Host and device.
#pragma once

#include "kernels/core/mat3.hpp"
#include "kernels/core/numbers.hpp"

namespace nodia {

/// Parameters that all contacts of a step share.
struct ContactTimes {
  double step_s = 0, theta = 1;
  double rest_speed_m_s = 0;        ///< approach speed below which restitution is zero
  double penetration_recovery = 0;  ///< fraction of a penetration removed per step [-]
  double recovery_speed_m_s = 0;    ///< upper bound of the recovery speed

  bool operator==(const ContactTimes&) const = default;
};

/// Parameters that all contacts of two surfaces share.
struct ContactRule {
  double mu1 = 0, mu2 = 0;  ///< friction along t1, t2 of the contact frame [-]
  Vec3d axis{};             ///< direction of t1 unless along the normal; zero: none
  double restitution = 0;   ///< [-]
};

/// Two near points at the start of a step.
struct ContactMotion {
  double gap_m = 0;
  Vec3d velocity{};  ///< of i, minus that of j if j is a body of the system [m/s]
  /// If j is an obstacle: mean velocity of its surface over the step [m/s].
  Vec3d surface_velocity{};
};

/// Contact frame (n, t1, t2). @param n  unit normal [-], @param axis  ContactRule::axis
NODIA_HD Mat3d contact_frame(Vec3d n, Vec3d axis) {
  const Vec3d t1 = axis - dot(axis, n) * n;
  const double length = norm(t1);
  if (!(length > 1e-6 * norm(axis))) return frame_from_normal(n);
  const Vec3d unit = (1 / length) * t1;
  return {{n, unit, cross(n, unit)}};
}

/// phi for u = R v_hat + phi of (11), in the contact frame [m/s]. With the present relative
/// velocity v_r = velocity - surface_velocity and approach speed a = max(0, -v_r,n), e the
/// restitution (0 for a below the rest speed):
///
///   not closing (gap + t v_r,n > 0)  phi_n = gap/t
///   closing, theta = 1               phi_n = min(gap/t, -e a) if e > 0, else gap/t
///   closing, theta < 1               phi_n = ((1 - theta) - theta e) a
///   penetrating (gap < 0)            max(beta gap/t, -cap) replaces gap/t, and bounds phi_n from
///                                    above
///   theta < 1                        phi_t = -(1 - theta) v_r,t : stick makes the next velocity
///                                    zero, not v_hat
///
/// v_surface is subtracted in all components. A closing contact with theta < 1 may penetrate by
/// (1-theta)(1-e) a t.
/// @param R  contact frame (n, t1, t2)
NODIA_HD Vec3d contact_phi(const ContactMotion& pair, const Mat3d& R, double restitution,
                           const ContactTimes& times) {
  const double t = times.step_s, theta = times.theta;
  const Vec3d relative = R * (pair.velocity - pair.surface_velocity);
  const double approach = larger(-relative.x, 0.0);
  const double e = approach > times.rest_speed_m_s ? restitution : 0.0;
  const bool closing = pair.gap_m + t * relative.x <= 0;

  const double bias = pair.gap_m >= 0 ? pair.gap_m / t
                                      : larger(-times.recovery_speed_m_s,
                                               times.penetration_recovery * pair.gap_m / t);
  double normal = bias;
  if (closing && theta < 1) {
    normal = ((1 - theta) - theta * e) * approach;
    if (pair.gap_m < 0) normal = smaller(bias, normal);
  } else if (closing && e > 0) {
    normal = smaller(-e * approach, bias);
  }
  const double keep = 1 - theta;
  return Vec3d{normal, -keep * relative.y, -keep * relative.z} - R * pair.surface_velocity;
}

/// diag(R A_ii^-1 R^T): the compliance of a contact of node i along its axes [m/(N s)].
/// @param block  A_ii [kg/s], @param R  contact frame
NODIA_HD Vec3d node_compliance(const Mat3d& block, const Mat3d& R) {
  const Mat3d inverted = inverse(block);
  return {dot(R.row[0], inverted * R.row[0]), dot(R.row[1], inverted * R.row[1]),
          dot(R.row[2], inverted * R.row[2])};
}

/// Maximum over a contact's axes; NaN if any is NaN.
NODIA_HD double largest_axis(Vec3d compliance) {
  return larger_or_nan(larger_or_nan(compliance.x, compliance.y), compliance.z);
}

}  // namespace nodia
