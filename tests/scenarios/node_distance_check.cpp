/// The check node_distance against all pairs of nodes, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "kernels/core/rotation.hpp"
#include "scenarios/checks/check.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

/// The block of the small scenario, twice: 0.2 m long along x, 12 nodes each.
class NodeDistanceTest : public ::testing::Test {
 protected:
  NodeDistanceTest() : scene_(load_scenario(test::ScenarioFile().path()).scene) {
    scene_.soft_bodies.push_back(scene_.soft_bodies[0]);
    scene_.soft_bodies[1].name = "other";
    for (const SoftBodyDescription& body : scene_.soft_bodies)
      state_.x.insert(state_.x.end(), body.mesh.nodes.begin(), body.mesh.nodes.end());
    record_.solve.status = SolveStatus::converged;
  }

  CheckResult evaluated(const NodeDistance& check) const {
    ScenarioChecks watched(scene_, {{"c", check}});
    StepRecord record = record_;
    record.time_s = check.at_s.value_or(scene_.time.duration_s);
    watched.observe({record, {}, test::GivenStep(state_)});
    return watched.results().at(0);
  }
  const std::vector<std::int32_t>& set(std::size_t body, const std::string& name) const {
    return scene_.soft_bodies[body].mesh.node_sets.at(name);
  }
  static NodeDistance ends(Statistic of, const std::string& to_body = "") {
    return {"block", "x_min", to_body, "x_max", of, 0.01, 0.0, {}};
  }

  Scene scene_;
  State state_;
  StepRecord record_;
};

TEST_F(NodeDistanceTest, IsTheLengthBetweenTwoEnds) {
  for (const Statistic of : {Statistic::mean, Statistic::lowest, Statistic::highest}) {
    const CheckResult result = evaluated(ends(of));
    EXPECT_NEAR(result.value, 0.2, 1e-15);
    EXPECT_EQ(result.unit, "m");
  }
  NodeDistance within = ends(Statistic::mean);
  within.below_m = 0.19;
  EXPECT_FALSE(evaluated(within).passed);
  EXPECT_EQ(evaluated(within).bound, 0.19);
  within.below_m = 0.21;
  EXPECT_TRUE(evaluated(within).passed);
  within.above_m = 0.205;
  EXPECT_FALSE(evaluated(within).passed);
}

TEST_F(NodeDistanceTest, IsThatOfTheNearestNodesWhereverTheyAre) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int round = 0; round < 20; ++round) {
    for (Vec3d& x : state_.x) x = {uniform(random), uniform(random), uniform(random)};
    std::vector<double> nearest;
    for (const std::int32_t a : set(0, "x_min")) {
      std::vector<double> all;
      for (const std::int32_t b : set(1, "x_max"))
        all.push_back(norm(state_.x[static_cast<std::size_t>(a)] -
                           state_.x[12 + static_cast<std::size_t>(b)]));
      nearest.push_back(*std::min_element(all.begin(), all.end()));
    }
    double mean = 0;
    for (const double d : nearest) mean += d / static_cast<double>(nearest.size());
    const auto [low, high] = std::minmax_element(nearest.begin(), nearest.end());
    EXPECT_NEAR(evaluated(ends(Statistic::mean, "other")).value, mean, 1e-14);
    EXPECT_NEAR(evaluated(ends(Statistic::lowest, "other")).value, *low, 1e-14);
    EXPECT_NEAR(evaluated(ends(Statistic::highest, "other")).value, *high, 1e-14);

    const double before = evaluated(ends(Statistic::mean, "other")).value;
    const Mat3d turn = rotation_exp({uniform(random), uniform(random), uniform(random)});
    for (Vec3d& x : state_.x) x = turn * x + Vec3d{3, -2, 1};
    EXPECT_NEAR(evaluated(ends(Statistic::mean, "other")).value, before, 1e-13)
        << "moved as a whole";
  }
}

TEST_F(NodeDistanceTest, AllNodesOfABodyAreMeantWithoutASet) {
  for (std::size_t k = 12; k < 24; ++k) state_.x[k].z += 1;
  const CheckResult result =
      evaluated({"block", "", "other", "", Statistic::highest, 0.01, {}, 1.0 + 1e-12});
  EXPECT_NEAR(result.value, 1, 1e-12) << "of the lower nodes; the upper are 0.05 m nearer";
  EXPECT_TRUE(result.passed);
  EXPECT_NEAR(evaluated({"block", "", "other", "", Statistic::lowest, 0.01, {}, 2.0}).value, 0.95,
              1e-12);
}

TEST_F(NodeDistanceTest, OneNodeThatIsNotANumberIsSeen) {
  for (const std::string name : {"x_min", "x_max"}) {
    const std::vector<Vec3d> good = state_.x;
    state_.x[static_cast<std::size_t>(set(0, name).back())].y =
        std::numeric_limits<double>::quiet_NaN();
    for (const Statistic of : {Statistic::mean, Statistic::lowest, Statistic::highest}) {
      EXPECT_TRUE(evaluated(ends(of)).failed());
      EXPECT_EQ(evaluated(ends(of)).not_compared, "its value is not a number");
    }
    state_.x = good;
  }
}

TEST(NodeDistance, RefusesWhatTheSceneDoesNotHave) {
  const auto message = [](const std::string& keys) {
    return test::message(test::with("check: max_penetration, bound_m: 1e-5",
                                    "check: node_distance, body: block, " + keys));
  };
  EXPECT_EQ(message("node_set: x_min, to_node_set: x_max, below_m: 1"), "");
  EXPECT_THAT(message("node_set: x_min, to_node_set: x_mox, below_m: 1"),
              HasSubstr("s.yaml:39: checks.depth.to_node_set = x_mox (must be a node set"));
  EXPECT_THAT(message("node_set: xmin, to_node_set: x_max, below_m: 1"),
              HasSubstr("s.yaml:39: checks.depth.node_set = xmin (must be a node set"));
  EXPECT_THAT(message("node_set: x_min, to_body: blok, below_m: 1"),
              HasSubstr("checks.depth.to_body = blok (must be the name of a body; did you mean "
                        "block?)"));
  EXPECT_THAT(message("node_set: x_min, to_node_set: x_max"),
              HasSubstr("checks.depth (must have above_m or below_m)"));
  EXPECT_THAT(message("node_set: x_min, to_body: block, to_node_set: x_min, below_m: 1"),
              HasSubstr("checks.depth.to_node_set (must name other nodes"));
  EXPECT_THAT(message("below_m: 1"), HasSubstr("must name other nodes"));
  // All nodes of a body are at no distance from some of them.
  EXPECT_THAT(message("node_set: x_min, below_m: 1"),
              HasSubstr("checks.depth.to_node_set (must name other nodes"));
  EXPECT_THAT(message("node_set: x_min, to_body: block, below_m: 1"),
              HasSubstr("must name other nodes"));
  EXPECT_EQ(message("to_node_set: x_max, of: highest, below_m: 1"), "");
}

}  // namespace
}  // namespace nodia
