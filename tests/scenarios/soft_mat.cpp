#include <gtest/gtest.h>

#include <cmath>

#include "host/simulation/simulation.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

const std::string kSoftMat = test::source_file("scenarios/soft_mat/soft_mat.yaml");

/// Runs a scenario up to a time; every check whose time has come passes.
void expect_checks(const Scenario& scenario, double until_s, std::size_t n_check) {
  ScenarioChecks checks(scenario.scene, scenario.checks);
  Simulation simulation({scenario.scene}, scenario.solver);
  const int n_step = static_cast<int>(std::lround(until_s / scenario.scene.time.step_s));
  for (int k = 0; k < n_step; ++k) {
    simulation.step([&](const StepView& view) { checks.observe(view); });
  }
  EXPECT_EQ(checks.results().size(), n_check);
  for (const CheckResult& result : checks.results()) {
    EXPECT_TRUE(result.passed) << result.name << " = " << result.value << " " << result.unit
                               << ", bound " << result.bound;
  }
}

TEST(SoftMat, IsThePapersMat) {
  const Scenario s = load_scenario(kSoftMat);
  ASSERT_EQ(s.scene.soft_bodies.size(), 1u);
  const TetMesh& mesh = s.scene.soft_bodies[0].mesh;
  EXPECT_NEAR(static_cast<double>(mesh.nodes.size()), 1477, 40);
  EXPECT_NEAR(static_cast<double>(mesh.tets.size()), 4100, 200);
  double volume = 0;
  for (const auto& t : mesh.tets) {
    const auto at = [&](int k) {
      return mesh.nodes[static_cast<std::size_t>(t[static_cast<std::size_t>(k)])];
    };
    volume += tet_volume(at(0), at(1), at(2), at(3));
  }
  EXPECT_NEAR(volume, 0.3 * 0.3 * 0.006, 1e-12);
  EXPECT_GE(s.scene.time.duration_s, 5);
  EXPECT_EQ(s.scene.time.step_s, 0.01);
  EXPECT_EQ(s.scene.time.theta, 1);
  for (const ObstacleDescription& obstacle : s.scene.obstacles) {
    EXPECT_EQ(
        s.scene.friction_of(surface_material(s.scene.soft_bodies[0]), surface_material(obstacle))
            .friction_1,
        0.3);
  }
}

TEST(SoftMat, SeedsDrawThePapersRanges) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const SoftBodyDescription mat = load_scenario(kSoftMat, {}, seed).scene.soft_bodies[0];
    EXPECT_TRUE(mat.material.youngs_modulus_Pa >= 50e3 && mat.material.youngs_modulus_Pa < 100e3);
    EXPECT_TRUE(mat.material.poissons_ratio >= 0.3 && mat.material.poissons_ratio < 0.4);
    EXPECT_TRUE(mat.friction >= 0.1 && mat.friction < 0.5);
  }
}

TEST(SoftMat, RestsOnTheFloor) {
  expect_checks(load_scenario(kSoftMat), 0.5, 5);
}

/// The whole motion on a coarser mat.
TEST(SoftMat, DrapesOverTheCylinderSlow) {
  const Scenario s =
      load_scenario(kSoftMat, {"bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 500}}"});
  expect_checks(s, s.scene.time.duration_s, s.checks.size());
}

}  // namespace
}  // namespace nodia
