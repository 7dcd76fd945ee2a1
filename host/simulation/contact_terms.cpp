#include "host/simulation/contact_terms.hpp"

#include <algorithm>

namespace nodia {

Vec3d contact_phi(const ContactMotion& pair, const Mat3d& R, double restitution,
                  const TimeOptions& time, const ContactOptions& options) {
  const double t = time.step_s, theta = time.theta;
  const Vec3d relative = R * (pair.velocity - pair.surface_velocity);
  const double approach = std::max(0.0, -relative.x);
  const double e = approach > options.rest_speed_m_s ? restitution : 0.0;
  const bool closing = pair.gap_m + t * relative.x <= 0;

  const double gap_term = pair.gap_m >= 0 ? pair.gap_m / t
                                          : std::max(options.penetration_recovery * pair.gap_m / t,
                                                     -options.recovery_speed_m_s);
  double normal = gap_term;
  if (closing && theta < 1) {
    normal = ((1 - theta) - theta * e) * approach;
    if (pair.gap_m < 0) normal = std::min(normal, gap_term);
  } else if (closing && e > 0) {
    normal = std::min(gap_term, -e * approach);
  }
  const double keep = 1 - theta;
  return Vec3d{normal, -keep * relative.y, -keep * relative.z} - R * pair.surface_velocity;
}

}  // namespace nodia
