/// Contact update from a contact's velocity to its force (Lee et al., Alg. 2; (37)), for any number
/// type. All iterative contact solvers use it.
///
///   lambda+ = project(lambda - (u + omega lambda)/(gamma + omega)),
///   u = Jc (v* + W Jc^T lambda) + phi
///
/// From lambda = 0 it equals project(-(eta + phi)/(gamma + omega)), exact in one evaluation if Jc W
/// Jc^T is diagonal (Prop. 4). omega > 0 [m/(N s)] is invertible contact: the law uses u + omega
/// lambda.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/law.hpp"

namespace nodia {

/// lambda+ in the contact frame [N].
/// @param lambda  force that u contains [N]
/// @param u       J v + phi [m/s]
/// @param gamma   approximation of Jc W Jc^T of the contact, > 0 [m/(N s)]
template <class P>
NODIA_HD Vec3<P> contact_update(const ContactLaw<P>& law, Vec3<P> lambda, Vec3<P> u, P gamma,
                                P omega) {
  const P inverse_gamma = P(Scalar<P>(1)) / (gamma + omega);
  const Vec3<P> trial = lambda - inverse_gamma * (u + omega * lambda);
  return project(law, trial);
}

/// gamma lambda+ [m/s] of the exact evaluation from lambda = 0: the velocity change by the force.
/// The projections are homogeneous, so gamma project(-u/(gamma + omega)) equals
/// project(-gamma/(gamma + omega) u), without division if omega = 0.
/// @param u  Jc v* + phi [m/s]
template <class Law, class P>
NODIA_HD Vec3<P> one_shot_jump(const Law& law, Vec3<P> u, P gamma, Scalar<P> omega) {
  Vec3<P> trial = -u;
  if (omega > Scalar<P>(0)) trial = (gamma / (gamma + P(omega))) * trial;
  return project(law, trial);
}

}  // namespace nodia
