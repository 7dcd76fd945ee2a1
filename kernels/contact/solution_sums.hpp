/// Sums from which the errors of a solution (v, lambda) are computed, the same on host and device.
#pragma once

#include "kernels/contact/contact_error.hpp"
#include "kernels/contact/natural_map.hpp"

namespace nodia {

/// Sums over nodes in the inverse-mass norm [N^2/kg].
struct DynamicsSums {
  double residual_squared = 0;  ///< |A v - b - Jc^T lambda|^2
  double load_squared = 0;      ///< |b|^2
  double force_squared = 0;     ///< |Jc^T lambda|^2

  /// Adds a node.
  /// @param weight  weight of the node in the norm [1/kg]
  /// @param Av, b, force  rows of A v, of b and of Jc^T lambda [N]
  NODIA_HD void add(double weight, Vec3d Av, Vec3d b, Vec3d force) {
    residual_squared += weight * squared_norm(Av - b - force);
    load_squared += weight * squared_norm(b);
    force_squared += weight * squared_norm(force);
  }
  NODIA_HD void operator+=(const DynamicsSums& o) {
    residual_squared += o.residual_squared;
    load_squared += o.load_squared;
    force_squared += o.force_squared;
  }
};

/// Velocity in a contact's law, u = R relative + phi + omega lambda, contact frame [m/s].
/// @param relative  velocity of side i minus that of side j, world frame [m/s]
/// @param omega     compliance of invertible contact [m/(N s)]
NODIA_HD Vec3d evaluated_velocity(const Contact<double>& c, Vec3d relative, Vec3d lambda,
                                  double omega) {
  return c.R * relative + c.phi + omega * lambda;
}

/// Sums of an environment.
struct SolutionSums {
  DynamicsSums dynamics;
  ContactError contacts;

  /// Adds a contact.
  /// @param u  evaluated_velocity [m/s]
  /// @param d  compliance of the contact, with omega [m/(N s)]
  NODIA_HD void add_contact(const Contact<double>& c, Vec3d lambda, Vec3d u, double d,
                            Projection law) {
    contacts.add(natural_map(lambda, u, d, c.mu1, c.mu2, law), lambda, u, d);
  }
};

}  // namespace nodia
