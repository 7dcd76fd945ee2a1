/// Conversion of contact forces of any number type to the reported forces.
#pragma once

#include <type_traits>

#include "kernels/contact/law.hpp"

namespace nodia {

/// Converts a force to double and projects it on its cone: float forces are outside by about 1e-7.
template <class Real>
NODIA_HD Vec3d in_cone(Projection projection, Vec3d lambda, double mu1, double mu2) {
  if constexpr (std::is_same_v<Real, double>)
    return lambda;
  else
    return project(projection, lambda, mu1, mu2);
}

}  // namespace nodia
