/// GMRES for an operator that is close to the identity: a preconditioned one.
#pragma once

#include <functional>
#include <vector>

#include "kernels/core/vec3.hpp"

namespace nodia {

/// Solves N x = f from x = f, without restarts.
/// @param apply   product N x
/// @param weight  [n] of the inner product
/// @param x       in: f, out: the solution
/// @param most    limit of products
/// @param enough  residual relative to f at which it ends
/// @return false if a value is not finite or N is singular
bool gmres(const std::function<void(const std::vector<Vec3d>&, std::vector<Vec3d>*)>& apply,
           const std::vector<double>& weight, int most, double enough, std::vector<Vec3d>* x);

}  // namespace nodia
