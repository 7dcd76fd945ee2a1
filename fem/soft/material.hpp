/// Isotropic linear elasticity with Rayleigh damping.
#pragma once

#include <string>

#include "kernels/core/key.hpp"

namespace nodia {

struct Material {
  double youngs_modulus_Pa = 75e3;  ///< [Pa], > 0
  double poissons_ratio = 0.35;     ///< [-], in (-1, 0.5)
  double density_kg_m3 = 1000;      ///< [kg/m^3], > 0
  double rayleigh_mass_1_s = 0;     ///< alpha of D = alpha M + beta K [1/s], >= 0
  double rayleigh_stiffness_s = 0;  ///< beta [s], >= 0

  double lame_lambda_Pa() const;
  double lame_mu_Pa() const;

  /// Throws InputError `prefix.key = value (must be rule; hint)` for the first broken rule.
  void validate(const std::string& prefix) const;
};

void visit_keys(KeyVisitor& v, Material& m);

}  // namespace nodia
