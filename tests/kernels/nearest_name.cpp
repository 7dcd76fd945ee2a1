#include "kernels/core/nearest_name.hpp"

#include <gtest/gtest.h>

namespace nodia {
namespace {

TEST(NearestName, BeginningsGoBeforeLetters) {
  const std::vector<std::string> keys{"mesh", "youngs_modulus_Pa", "poissons_ratio",
                                      "density_kg_m3", "friction"};
  EXPECT_EQ(nearest_name("density", keys), "density_kg_m3");
  EXPECT_EQ(nearest_name("youngs", keys), "youngs_modulus_Pa");
  EXPECT_EQ(nearest_name("poisson", keys), "poissons_ratio");
  EXPECT_EQ(nearest_name("friction_coefficient", keys), "friction");
  EXPECT_EQ(nearest_name("frction", keys), "friction");
  EXPECT_EQ(nearest_name("meh", keys), "mesh");
}

TEST(NearestName, OfSeveralBeginningsTheNearest) {
  EXPECT_EQ(nearest_name("stiffness_N", {"stiffness_Nm_rad", "stiffness_N_m"}), "stiffness_N_m");
}

TEST(NearestName, SynonymsGoBeforeAll) {
  const std::vector<std::string> shapes{"half_space", "box",     "sphere",
                                        "cylinder",   "capsule", "mesh"};
  EXPECT_EQ(nearest_name("plane", shapes), "half_space");
  EXPECT_EQ(nearest_name("cube", shapes), "box");
  EXPECT_EQ(nearest_name("ball", shapes), "sphere");
  EXPECT_EQ(nearest_name("ball", {"box", "bell"}), "bell") << "no sphere is known";
  EXPECT_EQ(nearest_name("dt", {"theta", "step_s"}), "step_s");
}

TEST(NearestName, DottedKeysAreMeantByTheirLastWord) {
  const std::vector<std::string> keys{"bodies.mat.density_kg_m3", "bodies.mat.friction",
                                      "obstacles.floor.friction"};
  EXPECT_EQ(nearest_name("bodies.mat.rho", keys), "bodies.mat.density_kg_m3");
  EXPECT_EQ(nearest_name("obstacles.floor.mu", keys), "obstacles.floor.friction");
  EXPECT_EQ(nearest_name("bodies.mat.density", keys), "bodies.mat.density_kg_m3");
}

TEST(NearestName, HintsNameASimilarNameOnly) {
  const std::vector<std::string> words{"minimum_jerk", "none"};
  EXPECT_EQ(similar_name_hint("minimum_jerc", words), "did you mean minimum_jerk?");
  EXPECT_EQ(similar_name_hint("cubic", words), "");
  EXPECT_EQ(known_names_hint("cubic", words), "known: minimum_jerk, none");
  EXPECT_EQ(known_names_hint("nome", words), "did you mean none?");
  EXPECT_EQ(known_names_hint("cubic", {}), "there is none");
  const std::vector<std::string> many(30, "none");
  EXPECT_EQ(known_names_hint("cubic", many).size(),
            std::string("known: , ...").size() + 24 * 6 - 2);
}

TEST(NearestName, OfNothingIsNothing) {
  EXPECT_EQ(nearest_name("plane", {}), "");
}

}  // namespace
}  // namespace nodia
