/// Which principal moments of inertia a body can have: all are positive, and none is greater than
/// the sum of the other two, because each is the sum of two of the second moments int x_k^2 dm >=
/// 0.
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// The least moment that nearest_moments() gives, relative to the greatest: that of a rod of 1:20
/// [-].
inline constexpr double kLeastMoment = 1e-3;

/// Whether a body can have these principal moments, up to a relative error of 1e-6: files give the
/// moments of thin plates with few digits.
bool are_moments_of_a_body(Vec3d moments);

/// The moments of a body that are nearest (least squares) to the given ones, each at least
/// kLeastMoment times the greatest. The result is zero if no given moment is positive.
Vec3d nearest_moments(Vec3d moments);

}  // namespace nodia
