/// Unit-consistent energy error of Enzenhoefer et al. for one contact [J].
#pragma once

#include "kernels/core/vec3.hpp"

namespace nodia {

/// One contact in impulses, contact frame.
struct ContactImpulse {
  Vec3d x{};       ///< impulse t lambda [N s]
  Vec3d w{};       ///< u = J v + phi [m/s]
  Vec3d a{};       ///< Delassus diagonal divided by t: inverse effective mass, > 0 [1/kg]
  double mu1 = 0;  ///< friction along t1 [-]
  double mu2 = 0;  ///< friction along t2 [-]
};

/// Error of one scalar constraint lower <= x <= upper, complementary to w (equation (5) of the
/// paper) [J]. The bounds may be infinite.
double energy_error_scalar(double x, double w, double a, double lower, double upper);

/// Sum over n, t1, t2 with the paper's bounds: x_n >= 0, |x_ti| <= mu_i max(x_n, 0) [J]. Zero at a
/// solution of the box problem, but not at an exact solution on the round cone.
double energy_error_box(const ContactImpulse& c);

/// Same for the cone: the normal as a scalar constraint, the tangent as one constraint on the
/// section S at max(x_n, 0),
///
///   max( a/2 |x_t - x_0|^2, min( |w_t|^2/(2a), a/2 |x_0 - x_w|^2 ) )       per axis of a
///
/// with x_0 the point of S nearest to x_t, and x_w the point of S with the largest dissipation at
/// slip velocity w_t. Zero exactly at a solution of the contact's Signorini-Coulomb condition.
double energy_error_cone(const ContactImpulse& c);

}  // namespace nodia
