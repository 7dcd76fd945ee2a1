#include "fem/soft/material.hpp"

namespace nodia {

double Material::lame_lambda_Pa() const {
  return youngs_modulus_Pa * poissons_ratio / ((1 + poissons_ratio) * (1 - 2 * poissons_ratio));
}

double Material::lame_mu_Pa() const {
  return youngs_modulus_Pa / (2 * (1 + poissons_ratio));
}

void visit_keys(KeyVisitor& v, Material& m) {
  v.real({"youngs_modulus_Pa", "[Pa]", "75e3 is a soft rubber"}, m.youngs_modulus_Pa,
         Range::positive());
  v.real({"poissons_ratio", "[-]", "try 0.35; 0.49 is nearly incompressible"}, m.poissons_ratio,
         Range::open(-1, 0.5));
  v.real({"density_kg_m3", "[kg/m^3]", "water has 1000"}, m.density_kg_m3, Range::positive());
  v.real({"rayleigh_mass_1_s", "alpha of D = alpha M + beta K [1/s]", "try 0"}, m.rayleigh_mass_1_s,
         Range::not_negative());
  v.real({"rayleigh_stiffness_s", "beta of D = alpha M + beta K [s]", "try 0"},
         m.rayleigh_stiffness_s, Range::not_negative());
}

void Material::validate(const std::string& prefix) const {
  KeyCheck check(prefix);
  Material copy = *this;
  visit_keys(check, copy);
}

}  // namespace nodia
