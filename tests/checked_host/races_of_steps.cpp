/// Tests complete steps on the checked host backend with the race detector
/// (tests/devices/race_detector).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/checked_host/both_backends.hpp"
#include "tests/checked_host/folding_mat.hpp"
#include "tests/checked_host/with_race_detector.hpp"
#include "tests/support/soft_bodies.hpp"

namespace nodia {
namespace {

/// Expects steps with the CPU's bits and without an effect of the order of lanes or blocks.
void expect_no_race(const std::string& file, Precision precision, int n_step,
                    std::vector<std::string> overrides) {
  overrides.emplace_back("solver.max_iterations=12");
  overrides.emplace_back("solver.check_every=4");
  test::BothBackends pair(test::ScenarioBatch(file, precision, std::move(overrides)));
  const test::WithRaceDetector watched(7);
  for (int k = 0; k < n_step && !testing::Test::HasFailure(); ++k) {
    pair.step_records(1);
    if (k % 20 == 0) pair.step(1);
  }
  pair.step(1);
  EXPECT_TRUE(watched.launcher().conflicts().empty());
  EXPECT_GT(pair.most_contacts, 10);
}

constexpr const char* kMat = "scenarios/soft_mat/soft_mat.yaml";
const std::string kSmall = "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 100}}";
const std::string kTiny = "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 50}}";

class DeviceRacesOfStepsIn : public testing::TestWithParam<Precision> {};

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceRacesOfStepsIn,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceRacesOfStepsIn, OfAMatHaveNoRace) {
  expect_no_race(kMat, GetParam(), 200, {kSmall});
}

TEST_P(DeviceRacesOfStepsIn, OfEightMatsHaveNoRace) {
  expect_no_race(kMat, GetParam(), 200, {kTiny, "environments=8"});
}

/// The ball lies on the mat; both touch the floor and each other.
TEST_P(DeviceRacesOfStepsIn, OfABallOnAMatHaveNoRace) {
  expect_no_race(kMat, GetParam(), 200,
                 {kSmall,
                  "bodies.ball={mesh: {ball: {radius_m: 0.03, nodes: 60}}, position_m: [0.15, "
                  "0.15, 0.04], youngs_modulus_Pa: 1e5, poissons_ratio: 0.35, density_kg_m3: 1000, "
                  "friction: 0.5}"});
}

TEST_P(DeviceRacesOfStepsIn, OfAMatThatIsFoldedHaveNoRace) {
  expect_no_race("scenarios/mat_folding/mat_folding.yaml", GetParam(), 200,
                 {"bodies.mat.mesh={mat: {size_m: [0.4, 0.3, 0.004], nodes: 100}}"});
}

TEST_P(DeviceRacesOfStepsIn, OfAMatThatIsFoldedByItsEdgeHaveNoRace) {
  test::BothBackends pair(
      test::folding_mat(GetParam(), 80, {"solver.max_iterations=12", "solver.check_every=4"}));
  const test::WithRaceDetector watched(7);
  for (int k = 0; k < 200 && !testing::Test::HasFailure(); ++k) {
    pair.step_records(1);
    if (k % 20 == 0) pair.step(1);
  }
  pair.step(1);
  EXPECT_TRUE(watched.launcher().conflicts().empty());
  EXPECT_GT(pair.most_contacts, 10);
}

/// The mat touches itself with vertices and with edges.
TEST_P(DeviceRacesOfStepsIn, OfAMatThatFallsOnItselfHaveNoRace) {
  test::BothBackends pair(test::ScenarioBatch(
      kMat, GetParam(),
      {"attachments={}", "checks={}", "randomize={}", "time.step_s=0.005",
       "obstacles={floor: {shape: half_space, friction: 0.3}}", "bodies.mat.self_contact=true",
       "bodies.mat.mesh={mat: {size_m: [0.3, 0.1, 0.004], nodes: 80}}", "solver.max_iterations=12",
       "solver.check_every=4"}));
  const test::WithRaceDetector watched(7);
  pair.step(3);
  State above = pair.cpu.state(0);
  for (Vec3d& p : above.x) p = test::folded(p, 0.3, 6e-3, 0.004);
  pair.both([&](Simulation* s) { s->set_state(0, above); });
  pair.step(30);
  EXPECT_TRUE(watched.launcher().conflicts().empty());
  EXPECT_GT(pair.most_contacts, 10);
}

}  // namespace
}  // namespace nodia
