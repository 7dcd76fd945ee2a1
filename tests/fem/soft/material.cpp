#include "fem/soft/material.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/core/error.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

/// Every value must be refused with a message that starts with prefix.key and names the rule.
void expect_refused(double Material::*member, const std::string& key, const std::string& rule,
                    std::initializer_list<double> values) {
  for (const double value : values) {
    Material material;
    material.*member = value;
    try {
      material.validate("bodies[0].material");
      ADD_FAILURE() << key << " = " << value << " was accepted";
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), StartsWith("bodies[0].material." + key + " = "));
      EXPECT_THAT(e.what(), HasSubstr("must be " + rule));
    }
  }
}

void expect_accepted(double Material::*member, std::initializer_list<double> values) {
  for (const double value : values) {
    Material material;
    material.*member = value;
    EXPECT_NO_THROW(material.validate("m")) << value;
  }
}

TEST(Material, DefaultIsValid) {
  EXPECT_NO_THROW(Material{}.validate(""));
}

TEST(Material, YoungsModulusIsPositive) {
  expect_refused(&Material::youngs_modulus_Pa, "youngs_modulus_Pa", "> 0",
                 {0, -1, kNan, kInf, -kInf});
  expect_accepted(&Material::youngs_modulus_Pa, {1, 1e12});
}

TEST(Material, PoissonsRatioIsBetweenMinusOneAndAHalf) {
  expect_refused(&Material::poissons_ratio, "poissons_ratio", "in (-1, 0.5)",
                 {0.5, -1, 0.6, kNan, kInf, -kInf});
  expect_accepted(&Material::poissons_ratio, {-0.9, 0, 0.499});
}

TEST(Material, DensityIsPositive) {
  expect_refused(&Material::density_kg_m3, "density_kg_m3", "> 0", {0, -1000, kNan, kInf});
  expect_accepted(&Material::density_kg_m3, {1e-3, 1e5});
}

TEST(Material, RayleighMassIsNotNegative) {
  expect_refused(&Material::rayleigh_mass_1_s, "rayleigh_mass_1_s", ">= 0", {-1e-9, kNan, kInf});
  expect_accepted(&Material::rayleigh_mass_1_s, {0, 10});
}

TEST(Material, RayleighStiffnessIsNotNegative) {
  expect_refused(&Material::rayleigh_stiffness_s, "rayleigh_stiffness_s", ">= 0",
                 {-1e-9, kNan, kInf});
  expect_accepted(&Material::rayleigh_stiffness_s, {0, 1});
}

/// E and nu come back from the Lame parameters.
TEST(Material, LameParameters) {
  for (const double nu : {-0.3, 0.0, 0.3, 0.49}) {
    Material m;
    m.youngs_modulus_Pa = 6e4;
    m.poissons_ratio = nu;
    const double lambda = m.lame_lambda_Pa(), mu = m.lame_mu_Pa();
    EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 6e4, 1e-9);
    EXPECT_NEAR(lambda / (2 * (lambda + mu)), nu, 1e-15);
  }
}

}  // namespace
}  // namespace nodia
