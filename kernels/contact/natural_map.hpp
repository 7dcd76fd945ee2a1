/// Natural map of the contact law, host and device: zero exactly if (lambda, u) satisfies the law.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/projections.hpp"

namespace nodia {

/// Natural-map residual of one contact.
///
///   lambda - P_K(lambda - u~/d),   u~ = (u_n + |(mu1 u_t1, mu2 u_t2)|, u_t)   (De Saxce)
///
/// K is the friction cone, P_K its Euclidean projection. lambda in K, u~ in the dual cone { u~_n >=
/// |(mu1 u_t1, mu2 u_t2)| } and lambda . u~ = 0 are the Signorini-Coulomb condition with maximal
/// dissipation, so anisotropic friction needs no scaling of the tangents. The convex relaxation
/// (28) uses u instead of u~.
///
/// @param lambda    contact frame [N]
/// @param u         J v + phi, contact frame [m/s]
/// @param d         compliance that converts velocities to forces, > 0 [m/(N s)]
/// @param law       strict: Coulomb; proximal: the convex relaxation
/// @return          contact frame [N]
template <class Real>
NODIA_HD Vec3<Real> natural_map(Vec3<Real> lambda, Vec3<Real> u, Real d, Real mu1, Real mu2,
                                Projection law) {
  if (law == Projection::strict) u.x += detail::length2(mu1 * u.y, mu2 * u.z);
  return lambda - project_proximal(lambda - (Real(1) / d) * u, mu1, mu2);
}

}  // namespace nodia
