#include "host/errors/energy.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/contact/projections.hpp"

namespace nodia {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double square(double x) {
  return x * x;
}

}  // namespace

double energy_error_scalar(double x, double w, double a, double lower, double upper) {
  const double clamped = std::max(std::min(x, upper), lower);
  const double above = std::max(x - clamped, 0.0), below = std::max(clamped - x, 0.0);
  const double sigma_lower = clamped + above - lower, sigma_upper = upper - (clamped - below);
  const double w_lower = std::max(w, 0.0), w_upper = std::max(-w, 0.0);
  const double impulse_error = a / 2 * (square(above) + square(below));
  const double lower_error = std::min(square(w_lower) / (2 * a), a / 2 * square(sigma_lower));
  const double upper_error = std::min(square(w_upper) / (2 * a), a / 2 * square(sigma_upper));
  return std::isnan(x + w) ? x + w : std::max({impulse_error, lower_error, upper_error});
}

double energy_error_box(const ContactImpulse& c) {
  const double n = std::max(c.x.x, 0.0);
  return energy_error_scalar(c.x.x, c.w.x, c.a.x, 0, kInfinity) +
         energy_error_scalar(c.x.y, c.w.y, c.a.y, -c.mu1 * n, c.mu1 * n) +
         energy_error_scalar(c.x.z, c.w.z, c.a.z, -c.mu2 * n, c.mu2 * n);
}

double energy_error_cone(const ContactImpulse& c) {
  const double normal = energy_error_scalar(c.x.x, c.w.x, c.a.x, 0, kInfinity);
  const Vec3d x0 = project_strict(c.x, c.mu1, c.mu2);
  // argmin over the ellipse of w_t . x = -x_n mu_i^2 w_i/|(mu1 w1, mu2 w2)|
  const double dissipation = std::hypot(c.mu1 * c.w.y, c.mu2 * c.w.z);
  const double scale = dissipation > 0 ? -x0.x / dissipation : 0;
  const Vec3d xw{0, scale * square(c.mu1) * c.w.y, scale * square(c.mu2) * c.w.z};
  double outside = 0, slip = 0, misplaced = 0;
  for (int axis = 1; axis < 3; ++axis) {
    outside += c.a[axis] / 2 * square(c.x[axis] - x0[axis]);
    slip += square(c.w[axis]) / (2 * c.a[axis]);
    misplaced += c.a[axis] / 2 * square(x0[axis] - xw[axis]);
  }
  const double tangent = std::max(outside, std::min(slip, misplaced));
  return std::isnan(outside + slip) ? outside + slip : normal + tangent;
}

}  // namespace nodia
