/// State of a contact in a step, determined from its force.
#pragma once

#include "kernels/contact/contact.hpp"

namespace nodia {

/// Open if lambda_n = 0, stick if |lambda_t| is strictly inside its section, else slip.
NODIA_HD ContactState contact_state(const Contact<double>& c, Vec3d lambda) {
  // A force within rounding of its section's edge counts as slipping.
  constexpr double kInside = 1 - 64 * 0x1p-52;
  const double n = lambda.x, s1 = c.mu1 * n, s2 = c.mu2 * n;
  if (!(n > 0)) return ContactState::open;
  const double e1 = s1 > 0 ? lambda.y / s1 : 1, e2 = s2 > 0 ? lambda.z / s2 : 1;
  return e1 * e1 + e2 * e2 < kInside ? ContactState::stick : ContactState::slip;
}

}  // namespace nodia
