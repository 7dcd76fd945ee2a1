/// The contact step, from a contact's velocity to its force (Lee et al., Alg. 2; (37)); of any
/// number type. Whatever iterates on contacts takes it from here.
///
///   lambda+ = project(lambda - (u + omega lambda)/(gamma + omega)),   u = Jc (v* + W Jc^T lambda)
///   + phi
///
/// From lambda = 0 this is the one shot project(-(eta + phi)/(gamma + omega)), exact where Jc W
/// Jc^T is diagonal (Prop. 4). omega > 0 [m/(N s)] is invertible contact: the law holds for u +
/// omega lambda.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/law.hpp"

namespace nodia {

/// lambda+ [N], contact frame.
/// @param lambda  the force that u holds [N]
/// @param u       J v + phi [m/s]
/// @param gamma   what the step takes for Jc W Jc^T of the contact, > 0 [m/(N s)]
template <class P>
NODIA_HD Vec3<P> contact_update(const ContactLaw<P>& law, Vec3<P> lambda, Vec3<P> u, P gamma,
                                P omega) {
  const P inverse_gamma = P(Scalar<P>(1)) / (gamma + omega);
  const Vec3<P> trial = lambda - inverse_gamma * (u + omega * lambda);
  return project(law, trial);
}

/// gamma lambda+ [m/s] of the one shot, the velocity that the force makes. The projections are
/// homogeneous, so that gamma project(-u/(gamma + omega)) is project(-gamma/(gamma + omega) u): no
/// division where omega = 0.
/// @param u  Jc v* + phi [m/s]
template <class Law, class P>
NODIA_HD Vec3<P> one_shot_jump(const Law& law, Vec3<P> u, P gamma, Scalar<P> omega) {
  Vec3<P> trial = -u;
  if (omega > Scalar<P>(0)) trial = (gamma / (gamma + P(omega))) * trial;
  return project(law, trial);
}

}  // namespace nodia
