#include "host/solvers/multigrid/conjugate_gradients.hpp"

#include <cmath>
#include <utility>

#include "host/solvers/linear/row_vectors.hpp"

namespace nodia {

ConjugateGradients::ConjugateGradients(const std::vector<Vec3d>& r, Multigrid* multigrid)
    : multigrid_(multigrid), rest_(r), x_(r.size()) {}

bool ConjugateGradients::step() {
  multigrid_->cycle(rest_, &z_);
  const double rz = dot(rest_, z_);
  decrease_ = 0;
  if (rz == 0) return true;
  if (!(rz > 0) || !std::isfinite(rz)) return false;
  const double before = std::exchange(rz_, rz);
  if (iterations_ == 0)
    p_ = z_;
  else
    for (std::size_t i = 0; i < p_.size(); ++i) p_[i] = z_[i] + (rz / before) * p_[i];
  multigrid_->multiply(p_, &Kp_);
  const double curvature = dot(p_, Kp_);
  if (!(curvature > 0) || !std::isfinite(curvature)) return false;
  const double alpha = rz / curvature;
  for (std::size_t i = 0; i < p_.size(); ++i) {
    x_[i] += alpha * p_[i];
    rest_[i] -= alpha * Kp_[i];
  }
  ++iterations_;
  decrease_ = alpha * rz;
  energy_ += decrease_;
  return true;
}

}  // namespace nodia
