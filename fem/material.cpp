#include "fem/material.hpp"

#include <cmath>

#include "kernels/core/error.hpp"

namespace nodia {

double Material::lame_lambda_Pa() const {
  return youngs_modulus_Pa * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
}

double Material::lame_mu_Pa() const {
  return youngs_modulus_Pa / (2 * (1 + poissons_ratio));
}

void Material::validate(const std::string& prefix) const {
  const auto check = [&](bool good, const char* key, double value, const char* rule,
                         const char* hint) {
    require(good && std::isfinite(value), prefix.empty() ? key : prefix + "." + key, value, rule,
            hint);
  };
  check(youngs_modulus_Pa > 0, "youngs_modulus_Pa", youngs_modulus_Pa, "finite and > 0",
        "soft rubber: 75e3");
  check(poissons_ratio > -1 && poissons_ratio < 0.5, "poissons_ratio", poissons_ratio,
        "in (-1, 0.5)", "nearly incompressible: 0.45");
  check(density_kg_m3 > 0, "density_kg_m3", density_kg_m3, "finite and > 0", "water: 1000");
  check(rayleigh_mass_1_s >= 0, "rayleigh_mass_1_s", rayleigh_mass_1_s, "finite and >= 0",
        "no damping: 0");
  check(rayleigh_stiffness_s >= 0, "rayleigh_stiffness_s", rayleigh_stiffness_s, "finite and >= 0",
        "no damping: 0");
}

}  // namespace nodia
