/// Contact work per index as named functors, host and device.
#pragma once

#include "kernels/contact/vfpi.hpp"

namespace nodia {

/// lambda_m := projection of trial_m on the friction cone of contact m.
template <class Real>
struct ProjectTrials {
  Projection projection;
  const Contact<Real>* contact;
  const Vec3<Real>* trial;  ///< contact frame [N]
  Vec3<Real>* lambda;       ///< contact frame [N]

  NODIA_HD void operator()(int m) const {
    lambda[m] = project(projection, trial[m], contact[m].mu1, contact[m].mu2);
  }
};

/// v**_i of a node whose contacts are all with the world: (20), Alg. 2 and (24) in one pass.
template <class Real>
struct SurrogateSolve {
  GradientStep<Real> gradient_step;
  WorldContactSolve<Real> solve_contacts;
  Vec3<Real>* projected;

  NODIA_HD void operator()(int i) const { projected[i] = solve_contacts(i, gradient_step(i)); }
};

}  // namespace nodia
