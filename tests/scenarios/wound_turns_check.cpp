/// The check wound_turns on helices of known turns, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "kernels/core/rotation.hpp"
#include "scenarios/checks/check.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

using ::testing::HasSubstr;

constexpr int kLinks = 101;
constexpr double kTurn = 2 * std::numbers::pi;

/// A cable of 2 mm radius beside the drum (a cylinder) and the pill (a capsule), both of 0.1 m
/// radius and 0.3 m length; their frames are turned.
class WoundTurnsTest : public ::testing::Test {
 protected:
  WoundTurnsTest() : scene_(load_scenario(test::ScenarioFile().path()).scene) {
    CableDescription& cable = scene_.cables.emplace_back();
    cable.name = "cable";
    cable.points_m = {{0, 0, 0}, {0.4, 0, 0}};
    cable.links = kLinks;
    cable.radius_m = 0.002;
    layout_.add(BodyKind::soft, 12);
    layout_.add(BodyKind::chain, kLinks);
    state_.frames.assign(kLinks, FramePose{});
    obstacle_poses_.assign(scene_.obstacles.size(), {{0.3, -2, 1}, rotation_exp({0.4, 1.1, -2})});
    record_.solve.status = SolveStatus::converged;
    record_.time_s = scene_.time.duration_s;
  }

  /// Centres of the links in the obstacles' frame: angle, height and distance from the axis by
  /// share of the way from rear to front.
  struct Curve {
    std::function<double(double)> angle;
    std::function<double(double)> height = [](double s) { return 0.2 * s - 0.1; };
    std::function<double(double)> radius = [](double) { return 0.102; };
  };
  void place(const Curve& curve) {
    for (int k = 0; k < kLinks; ++k) {
      const double s = k / (kLinks - 1.0), a = curve.angle(s), r = curve.radius(s);
      state_.frames[static_cast<std::size_t>(k)].position =
          obstacle_poses_[0].to_world({r * std::cos(a), r * std::sin(a), curve.height(s)});
    }
  }
  CheckResult evaluated(WoundTurns check) const {
    ScenarioChecks watched(scene_, {{"c", check}});
    watched.observe({record_, layout_, test::GivenStep(state_), {}, obstacle_poses_});
    return watched.results().at(0);
  }
  double turns(const std::string& around = "drum", double within_m = 5e-4) const {
    return evaluated({"cable", around, within_m, {}, 0.0, {}}).value;
  }

  Scene scene_;
  BodyLayout layout_;
  State state_;
  StepRecord record_;
  std::vector<Pose> obstacle_poses_;
};

TEST_F(WoundTurnsTest, AreThoseOfAHelixOfEitherSense) {
  for (const double wanted : {0.1, 0.5, 1.75, 12.3, -2.25}) {
    place({[&](double s) { return 0.7 + kTurn * wanted * s; }});
    EXPECT_NEAR(turns(), wanted, 1e-12);
    EXPECT_NEAR(turns("pill"), wanted, 1e-12);
  }
  const CheckResult result = evaluated({"cable", "drum", 5e-4, {}, -2.0, {}});
  EXPECT_FALSE(result.passed);
  EXPECT_EQ(result.bound, -2.0);
  EXPECT_EQ(result.unit, "turns");
  EXPECT_TRUE(evaluated({"cable", "drum", 5e-4, {}, {}, -2.0}).passed);
}

TEST_F(WoundTurnsTest, OnlyLinksThatLieOnItCount) {
  // The first half lies on it, the second is a millimetre off.
  place({[](double s) { return kTurn * 2 * s; }, [](double s) { return 0.2 * s - 0.1; },
         [](double s) { return s <= 0.5 ? 0.102 : 0.103; }});
  EXPECT_NEAR(turns(), 1, 1e-12);
  EXPECT_NEAR(turns("drum", 2e-3), 2, 1e-12);
  // Behind the cylinder's end nothing carries it.
  place({[](double s) { return kTurn * 2 * s; }, [](double s) { return 0.3 * s; }});
  EXPECT_NEAR(turns(), 1, 0.03);
  // A cable that leads past at some distance is not wound, however far it turns.
  place({[](double s) { return kTurn * 3 * s; }, [](double) { return 0.0; },
         [](double) { return 0.15; }});
  EXPECT_EQ(turns(), 0);
}

TEST_F(WoundTurnsTest, ABridgeDoesNotCountAndATurnBackCountsOff) {
  place({[](double s) { return kTurn * 2 * s; }, [](double s) { return 0.2 * s - 0.1; },
         [](double s) { return s > 0.395 && s < 0.605 ? 0.11 : 0.102; }});
  EXPECT_NEAR(turns(), 2 * (0.39 + 0.39), 1e-12);
  place({[](double s) { return kTurn * (s < 0.5 ? 2 * s : 2 - 2 * s); }});
  EXPECT_NEAR(turns(), 0, 1e-12);
}

TEST_F(WoundTurnsTest, ALinkThatIsNotANumberIsSeen) {
  place({[](double s) { return kTurn * s; }});
  state_.frames[40].position.x = std::numeric_limits<double>::quiet_NaN();
  const CheckResult result = evaluated({"cable", "drum", 5e-4, {}, {}, 100.0});
  EXPECT_TRUE(result.failed());
  EXPECT_EQ(result.not_compared, "its value is not a number");
}

TEST_F(WoundTurnsTest, RefusesWhatCannotBeWound) {
  const auto message = [&](WoundTurns check) -> std::string {
    try {
      validate(check, "checks.c", scene_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message({"cable", "pill", 5e-4, {}, 1.0, {}}), "");
  EXPECT_THAT(
      message({"cabel", "pill", 5e-4, {}, 1.0, {}}),
      HasSubstr("checks.c.body = cabel (must be the name of a cable; did you mean cable?)"));
  EXPECT_THAT(message({"cable", "globe", 5e-4, {}, 1.0, {}}),
              HasSubstr("checks.c.around = globe (must be the name of a cylinder or a capsule"));
  EXPECT_THAT(message({"cable", "drum", 5e-4, {}, {}, {}}),
              HasSubstr("checks.c (must have above_turns or below_turns)"));
}

}  // namespace
}  // namespace nodia
