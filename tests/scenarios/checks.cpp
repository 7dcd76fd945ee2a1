#include "scenarios/checks/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;

/// Steps made by hand for the small scenario: step 0.01 s, weight 1000 kg/m^3 * 1e-3 m^3 * 9.81
/// m/s^2 = 9.81 N.
class ChecksTest : public ::testing::Test {
 protected:
  ChecksTest() : scene_(load_scenario(test::ScenarioFile().path()).scene) {
    record_.solve.status = SolveStatus::converged;
    state_.x.assign(12, Vec3d{});
  }

  /// Judges of one check.
  ScenarioChecks checks(CheckKind kind) const { return {scene_, {{"c", std::move(kind)}}}; }

  void step(ScenarioChecks& watched) {
    record_.time_s += 0.01;
    watched.observe(
        {record_, layout_, test::GivenStep(state_, {contacts_, lambda_, contact_state_, sides_})});
  }

  void add_contact(std::int32_t obstacle, Vec3d lambda, double mu1 = 0.5, double mu2 = 0.5) {
    Contact<double> contact;
    contact.R = frame_from_normal(Vec3d{0, 0, 1});
    contact.mu1 = mu1;
    contact.mu2 = mu2;
    contacts_.push_back(contact);
    lambda_.push_back(lambda);
    contact_state_.push_back(ContactState::stick);
    sides_.push_back({{ObjectKind::soft_body, 0, 0}, {ObjectKind::obstacle, obstacle, 0}, {}, {}});
  }

  Scene scene_;
  StepRecord record_;
  State state_;
  std::vector<Contact<double>> contacts_;
  std::vector<Vec3d> lambda_;
  std::vector<ContactState> contact_state_;
  std::vector<ContactSides> sides_;
  BodyLayout layout_;
};

TEST_F(ChecksTest, WeightIsTheMeanOfFloorAndGripsInTheWindow) {
  ScenarioChecks watched = checks(WeightOnObstacle{"floor", 0.02, 0.04, 0.01});
  add_contact(0, {9, 1, 1});
  add_contact(1, {100, 0, 0});
  step(watched);
  step(watched);
  record_.attachment_force_N = {3, 0, 0.81 + 0.05};
  step(watched);
  EXPECT_THAT(watched.not_reached(), ElementsAre("c"));
  EXPECT_TRUE(watched.results().empty());
  record_.attachment_force_N = {3, 0, 0.81 - 0.01};
  step(watched);
  record_.attachment_force_N = {};
  step(watched);
  EXPECT_TRUE(watched.not_reached().empty());
  ASSERT_EQ(watched.results().size(), 1u);
  const CheckResult result = watched.results()[0];
  EXPECT_EQ(result.name, "c");
  EXPECT_TRUE(result.passed);
  EXPECT_NEAR(result.value, 0.02 / 9.81, 1e-12);
  EXPECT_EQ(result.bound, 0.01);
}

TEST_F(ChecksTest, PenetrationIsTheDeepest) {
  ScenarioChecks watched = checks(MaxPenetration{1e-5});
  EXPECT_THAT(watched.not_reached(), ElementsAre("c"));
  record_.max_penetration_m = 2e-5;
  step(watched);
  record_.max_penetration_m = 0;
  step(watched);
  EXPECT_EQ(watched.results()[0].value, 2e-5);
  EXPECT_FALSE(watched.results()[0].passed);
  EXPECT_EQ(watched.results()[0].unit, "m");
}

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST_F(ChecksTest, NotANumberIsNotComparedAndFails) {
  ScenarioChecks watched = checks(MaxPenetration{1e-5});
  record_.max_penetration_m = kNan;
  step(watched);
  record_.max_penetration_m = 0;
  step(watched);
  const CheckResult result = watched.results()[0];
  EXPECT_FALSE(result.passed);
  EXPECT_TRUE(result.failed());
  EXPECT_EQ(result.not_compared, "its value is not a number");
}

TEST_F(ChecksTest, OneNodeThatIsNotANumberIsSeenByEveryStatistic) {
  state_.x[3].z = kNan;
  for (const Statistic of : {Statistic::mean, Statistic::lowest, Statistic::highest}) {
    ScenarioChecks watched = checks(NodePosition{"block", "", Axis::z, of, 0.01, -1, 1});
    record_.time_s = 0;
    step(watched);
    EXPECT_TRUE(watched.results()[0].failed());
    EXPECT_EQ(watched.results()[0].not_compared, "its value is not a number");
  }
}

TEST_F(ChecksTest, AWindowBetweenTwoStepsComparesNothing) {
  const CheckKind kinds[] = {WeightOnObstacle{"floor", 0.011, 0.014, 0.01},
                             EnergyNonIncreasing{0.011, 0.014, 1},
                             EnergyBalance{0.011, 0.014, 1},
                             SticksAndSlips{0.011, 0.014, 1},
                             ContactForce{"block", "", ContactForcePart::z, 0.011, 0.014, 1, 1, {}},
                             ForceBalance{0.011, 0.014, 1, {}}};
  state_.v.assign(12, Vec3d{});
  for (const CheckKind& kind : kinds) {
    ScenarioChecks watched = checks(kind);
    record_.time_s = 0;
    for (int k = 0; k < 3; ++k) step(watched);
    EXPECT_TRUE(watched.not_reached().empty()) << kind.index();
    ASSERT_EQ(watched.results().size(), 1u) << kind.index();
    const CheckResult result = watched.results()[0];
    EXPECT_FALSE(result.passed) << kind.index();
    EXPECT_FALSE(result.failed()) << kind.index();
    EXPECT_EQ(result.not_compared, "no step ends between from_s and to_s");
  }
}

TEST_F(ChecksTest, ADriftTakesTwoSteps) {
  ScenarioChecks watched = checks(Drift{"block", 0.01, 0.02, 1});
  layout_.add(BodyKind::soft, 12);
  for (int k = 0; k < 3; ++k) step(watched);
  EXPECT_EQ(watched.results()[0].not_compared, "fewer than 2 steps end between from_s and to_s");
  EXPECT_FALSE(watched.results()[0].passed);
}

TEST_F(ChecksTest, AConeWithoutContactsIsNotCompared) {
  ScenarioChecks watched = checks(FrictionInCone{});
  step(watched);
  EXPECT_FALSE(watched.results()[0].passed);
  EXPECT_TRUE(watched.results()[0].no_data);
  EXPECT_EQ(watched.results()[0].not_compared, "no contact in any step");
  add_contact(0, {2, 0, 0});
  step(watched);
  EXPECT_TRUE(watched.results()[0].passed);
  EXPECT_EQ(watched.results()[0].not_compared, "");
}

TEST_F(ChecksTest, ForcesOnAndInTheConePass) {
  ScenarioChecks watched = checks(FrictionInCone{});
  add_contact(0, {2, 0.6, 0.8});          // on the circle of radius 1
  add_contact(0, {2, 0, 0.4}, 0.5, 0.2);  // on the ellipse
  add_contact(0, {2, 0, 0}, 0, 0);
  add_contact(0, {0, 0, 0});
  step(watched);
  EXPECT_TRUE(watched.results()[0].passed) << watched.results()[0].value;
}

TEST_F(ChecksTest, ForcesOutsideTheConeFail) {
  const Vec3d forces[] = {{2, 1.001, 0}, {-1e-3, 0, 0}, {0, 1e-6, 0}};
  for (const Vec3d force : forces) {
    ScenarioChecks watched = checks(FrictionInCone{});
    contacts_.clear(), lambda_.clear(), contact_state_.clear(), sides_.clear();
    add_contact(0, force);
    step(watched);
    EXPECT_FALSE(watched.results()[0].passed) << force.x << " " << force.y;
  }
  ScenarioChecks watched = checks(FrictionInCone{});
  contacts_.clear(), lambda_.clear(), contact_state_.clear(), sides_.clear();
  add_contact(0, {2, 0, 0.41}, 0.5, 0.2);
  step(watched);
  EXPECT_NEAR(watched.results()[0].value, 0.025, 1e-9);
}

TEST_F(ChecksTest, EveryStepThatDidNotConvergeCounts) {
  ScenarioChecks watched = checks(AllStepsConverged{});
  step(watched);
  EXPECT_TRUE(watched.results()[0].passed);
  record_.solve.status = SolveStatus::stalled;
  step(watched);
  step(watched);
  EXPECT_EQ(watched.results()[0].value, 2);
  EXPECT_FALSE(watched.results()[0].passed);
}

TEST_F(ChecksTest, EnergyRisesAreCumulativeAndWorkIsTakenOff) {
  ScenarioChecks watched = checks(EnergyNonIncreasing{0, 0.06, 0.25});
  const double energies[] = {5, 3, 3.1, 3.05, 3.2, 3.5};
  const double works[] = {7, 0, 0, 0, 0, 0.3};
  for (int k = 0; k < 6; ++k) {
    record_.kinetic_energy_J = 0.5 * energies[k];
    record_.potential_energy_J = 0.5 * energies[k];
    record_.frame_work_J = works[k] / 4;
    record_.push_work_J = works[k] * 3 / 4;
    step(watched);
  }
  EXPECT_NEAR(watched.results()[0].value, 0.2, 1e-12);
  EXPECT_TRUE(watched.results()[0].passed);
}

TEST_F(ChecksTest, TheEnergyBalanceSumsTheGainsOfAllStepsButTheFirst) {
  ScenarioChecks watched = checks(EnergyBalance{0, 0.06, 0.25});
  for (const double gain_J : {9.0, -1.0, 0.2, -0.05, 0.15, -0.5}) {
    record_.energy_gain_J = gain_J;
    step(watched);
  }
  ASSERT_EQ(watched.results().size(), 1u);
  const CheckResult result = watched.results()[0];
  EXPECT_NEAR(result.value, 0.3, 1e-15);
  EXPECT_FALSE(result.passed);
}

TEST_F(ChecksTest, TheEnergyBalanceOfStepsWithoutOneComparesNothing) {
  ScenarioChecks watched = checks(EnergyBalance{0, 0.03, 0.25});
  record_.energy_gain_J = kNan;
  for (int k = 0; k < 3; ++k) step(watched);
  EXPECT_EQ(watched.results()[0].not_compared, "no step has an energy balance");
  EXPECT_FALSE(watched.results()[0].passed);
}

TEST_F(ChecksTest, PositionsOfNodeSets) {
  NodePosition end_up{"block", "x_max", Axis::z, Statistic::mean, 0.02, 0.5, 1.5};
  const std::vector<std::int32_t>& end = scene_.soft_bodies[0].mesh.node_sets.at("x_max");
  for (const std::int32_t node : end) state_.x[static_cast<std::size_t>(node)].z = 1;
  ScenarioChecks mean = checks(end_up);
  NodePosition all{"block", "", Axis::z, Statistic::lowest, 0.02, 0.5, {}};
  ScenarioChecks lowest = checks(all);
  all.of = Statistic::highest;
  all.above_m.reset();
  all.below_m = 0.9;
  ScenarioChecks highest = checks(all);
  all.at_s.reset();
  ScenarioChecks at_end = checks(all);
  for (int k = 0; k < 2; ++k) {
    record_.time_s = 0.01 * k;
    for (ScenarioChecks* watched : {&mean, &lowest, &highest, &at_end}) {
      record_.time_s = 0.01 * k;
      step(*watched);
    }
  }
  EXPECT_EQ(mean.results()[0].value, 1);
  EXPECT_TRUE(mean.results()[0].passed);
  EXPECT_EQ(lowest.results()[0].value, 0);
  EXPECT_EQ(lowest.results()[0].bound, 0.5);
  EXPECT_FALSE(lowest.results()[0].passed);
  EXPECT_EQ(highest.results()[0].value, 1);
  EXPECT_FALSE(highest.results()[0].passed);
  EXPECT_THAT(at_end.not_reached(), ElementsAre("c"));
}

TEST_F(ChecksTest, SticksAndSlipsAtOneTime) {
  ScenarioChecks watched = checks(SticksAndSlips{0, 0.02, 5});
  record_.n_stick = 10;
  record_.n_slip = 4;
  step(watched);
  record_.n_stick = 3;
  record_.n_slip = 90;
  step(watched);
  EXPECT_EQ(watched.results()[0].value, 4);
  EXPECT_FALSE(watched.results()[0].passed);
}

TEST_F(ChecksTest, MountsCarryWeightToo) {
  scene_.mounts.emplace_back().name = "hook";
  ScenarioChecks watched = checks(WeightOnObstacle{"floor", 0, 0.02, 0.01});
  record_.sensors = {{{0, 0, -4.81}, {}}, {{0, 0, -7}, {}}};  // the second is an attachment's
  add_contact(0, {5, 0, 0});
  step(watched);
  step(watched);
  EXPECT_NEAR(watched.results()[0].value, 0, 1e-12);
}

TEST_F(ChecksTest, UnknownNamesAreRefused) {
  EXPECT_THROW(checks(WeightOnObstacle{"flor", 0, 1, 0.1}), InputError);
  EXPECT_THROW(checks(NodePosition{"blok", "", Axis::z, Statistic::mean, {}, 0.0, {}}), InputError);
  EXPECT_THROW(checks(NodePosition{"block", "no", Axis::z, Statistic::mean, {}, 0.0, {}}),
               InputError);
}

}  // namespace
}  // namespace nodia
