/// Contact forces of a loop in any number type as the forces that a step hands out.
#pragma once

#include <type_traits>

#include "kernels/contact/law.hpp"

namespace nodia {

/// A force of `Real` in its cone as a double: rounding to float leaves it outside by some 1e-7.
template <class Real>
NODIA_HD Vec3d in_cone(Projection projection, Vec3d lambda, double mu1, double mu2) {
  if constexpr (std::is_same_v<Real, double>)
    return lambda;
  else
    return project(projection, lambda, mu1, mu2);
}

}  // namespace nodia
