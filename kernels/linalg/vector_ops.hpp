/// Per-node vector operations as named functors, host and device.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// y_i := y_i + s x_i
template <class Real>
struct Axpy {
  Real s;
  const Vec3<Real>* x;
  Vec3<Real>* y;

  NODIA_HD void operator()(int i) const { y[i] += s * x[i]; }
};

/// y_i := s (a_i - b_i)
template <class Real>
struct ScaledDifference {
  Real s;
  const Vec3<Real>* a;
  const Vec3<Real>* b;
  Vec3<Real>* y;

  NODIA_HD void operator()(int i) const { y[i] = s * (a[i] - b[i]); }
};

/// Term w_i |a_i|^2 of a weighted squared norm; summed in double whatever Real is.
template <class Real>
struct WeightedSquaredNorm {
  const double* w;
  const Vec3<Real>* a;

  NODIA_HD double operator()(int i) const { return w[i] * squared_norm(cast<double>(a[i])); }
};

/// Term |a_i - b_i|^2 of a squared distance.
template <class Real>
struct SquaredDistance {
  const Vec3<Real>* a;
  const Vec3<Real>* b;

  NODIA_HD double operator()(int i) const {
    return squared_norm(cast<double>(a[i]) - cast<double>(b[i]));
  }
};

}  // namespace nodia
