/// Contact law as a function of any number type: projection of a trial force on the friction cone.
#pragma once

#include "kernels/contact/contact.hpp"
#include "kernels/contact/projections.hpp"
#include "kernels/core/pack.hpp"

namespace nodia {

/// Projections other than the strict one with isotropic friction.
template <class Real>
NODIA_COLD Vec3<Real> project_general(Projection kind, Vec3<Real> trial, Real mu1, Real mu2) {
  return kind == Projection::strict ? project_strict(trial, mu1, mu2)
                                    : project_proximal(trial, mu1, mu2);
}

/// Projects a trial force on the friction cone, for any number type.
template <class P>
NODIA_HD Vec3<P> project(Projection kind, Vec3<P> trial, P mu1, P mu2) {
  if (kind == Projection::strict && all(mu1 == mu2)) return project_strict_isotropic(trial, mu1);
  constexpr int kLanes = static_cast<int>(sizeof(P) / sizeof(Scalar<P>));
  Vec3<P> lambda = trial;
  for (int l = 0; l < kLanes; ++l) {
    const Vec3<Scalar<P>> one{lane_of(trial.x, l), lane_of(trial.y, l), lane_of(trial.z, l)};
    const Vec3<Scalar<P>> projected = project_general(kind, one, lane_of(mu1, l), lane_of(mu2, l));
    set_lane(&lambda.x, l, projected.x);
    set_lane(&lambda.y, l, projected.y);
    set_lane(&lambda.z, l, projected.z);
  }
  return lambda;
}

/// Law of one contact, or of the lanes' contacts.
template <class P>
struct ContactLaw {
  Projection projection = Projection::strict;
  P mu1, mu2;  ///< friction along t1 and t2 [-], >= 0
};

/// Strict projection with isotropic friction.
template <class P>
struct IsotropicLaw {
  P mu;  ///< [-], >= 0
};

template <class P>
NODIA_HD Vec3<P> project(const ContactLaw<P>& law, Vec3<P> trial) {
  return project(law.projection, trial, law.mu1, law.mu2);
}
template <class P>
NODIA_HD Vec3<P> project(const IsotropicLaw<P>& law, Vec3<P> trial) {
  return project_strict_isotropic(trial, law.mu);
}

template <class Real>
NODIA_HD ContactLaw<Real> law_of(Projection projection, const Contact<Real>& c) {
  return {projection, c.mu1, c.mu2};
}

}  // namespace nodia
