/// Operations on vectors with one entry per row.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Dot product in double precision, summed in the order of rows.
template <class Real>
double dot(const std::vector<Vec3<Real>>& a, const std::vector<Vec3<Real>>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(cast<double>(a[i]), cast<double>(b[i]));
  return sum;
}

inline bool is_finite(const std::vector<Vec3d>& a) {
  return std::all_of(a.begin(), a.end(), [](Vec3d x) { return is_finite(x); });
}

}  // namespace nodia
