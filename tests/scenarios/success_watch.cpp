#include "scenarios/task/success.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/scenarios/task_scenario.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

/// Steps of 0.01 s made by hand, four in a control step.
class Watched {
 public:
  explicit Watched(const std::string& success, const std::string& also = "")
      : scenario_(test::load_task("{text: t, control_hz: 25, observe: time, action: {joints: "
                                  "base_x}, success: {" +
                                  success + "}, success_also: {" + also + "}}")),
        watch_(*scenario_.task, scenario_.scene) {
    state_.x.assign(8, Vec3d{});
    record_.solve.status = SolveStatus::converged;
  }

  /// Steps with all nodes at this height. @return whether it has succeeded after each
  std::vector<bool> steps(const std::vector<double>& heights) {
    std::vector<bool> reached;
    for (const double height : heights) {
      for (Vec3d& x : state_.x) x.z = height;
      step();
      reached.push_back(watch_.reached());
    }
    return reached;
  }
  /// Steps with this force of the floor on the block.
  std::vector<bool> pushed(const std::vector<double>& forces_N) {
    std::vector<bool> reached;
    for (const double force : forces_N) {
      Contact<double> contact;
      contact.R = frame_from_normal(Vec3d{0, 0, 1});
      contacts_ = {contact};
      lambda_ = {{force, 0, 0}};
      contact_state_ = {ContactState::stick};
      sides_ = {{{ObjectKind::soft_body, 0, 0}, {ObjectKind::obstacle, 0, 0}, {}, {}}};
      step();
      reached.push_back(watch_.reached());
    }
    return reached;
  }
  void end(SolveStatus status) {
    record_.solve.status = status;
    step();
    record_.solve.status = SolveStatus::converged;
  }
  const SuccessWatch& watch() const { return watch_; }
  /// From now on, a new watch that has only the kept bytes of the old one takes every step.
  void renew_in_every_step() { renews_ = true; }

 private:
  void renew() {
    ArchivedBytes bytes;
    Archive saving = Archive::writing(&bytes);
    watch_.archive(saving);
    watch_ = SuccessWatch(*scenario_.task, scenario_.scene);
    Archive loading = Archive::reading(bytes);
    watch_.archive(loading);
  }
  void step() {
    if (renews_) renew();
    record_.time_s = 0.01 * ++record_.step;
    watch_.observe(
        {record_, layout_, test::GivenStep(state_, {contacts_, lambda_, contact_state_, sides_})});
  }

  Scenario scenario_;
  SuccessWatch watch_;
  bool renews_ = false;
  StepRecord record_;
  State state_;
  BodyLayout layout_;
  std::vector<Contact<double>> contacts_;
  std::vector<Vec3d> lambda_;
  std::vector<ContactState> contact_state_;
  std::vector<ContactSides> sides_;
};

using Steps = std::vector<bool>;

TEST(SuccessWatch, APlaceIsComparedInEveryStep) {
  Watched w("check: node_position, body: block, of: lowest, above_m: 0.1");
  EXPECT_FALSE(w.watch().shortfall());
  EXPECT_EQ(w.steps({0.09, 0.1, 0.11, 0.05, 0.2}), (Steps{false, true, true, false, true}));
  EXPECT_EQ(w.watch().shortfall(), 0.0);
  w.steps({0.07});
  EXPECT_NEAR(w.watch().shortfall().value(), 0.03, 1e-15);
}

TEST(SuccessWatch, APlaceMustBeRightAllTheTime) {
  Watched w("check: node_position, body: block, above_m: 0.1, below_m: 0.2, for_s: 0.03");
  EXPECT_EQ(w.steps({0.15, 0.15, 0.25, 0.15, 0.15, 0.15, 0.15, 0.0}),
            (Steps{false, false, false, false, false, true, true, false}));
}

TEST(SuccessWatch, AStepBeginsAtNotTooLate) {
  Watched w("check: node_position, body: block, above_m: 0.1, for_s: 0.3");
  std::vector<double> up(30, 0.2);
  const Steps reached = w.steps(up);
  EXPECT_EQ(std::count(reached.begin(), reached.end(), true), 1);
  EXPECT_TRUE(reached.back()) << "thirty steps are 0.3 s, whatever the clock's rounding";
}

TEST(SuccessWatch, AMeanIsOfTheLastWindowAtTheEndOfControlSteps) {
  Watched w(
      "check: contact_force, on: block, by: floor, part: z, value_N: 2, tolerance_N: 0.1, for_s: "
      "0.08");
  // Windows of eight steps begin every four: the first holds 0 and 2, the second 2 and 2.
  EXPECT_EQ(w.pushed({0, 0, 0, 0, 2, 2, 2, 2}), Steps(8, false));
  EXPECT_NEAR(w.watch().shortfall().value(), 0.9, 1e-12);
  EXPECT_EQ(w.pushed({1, 3, 1, 3}), (Steps{false, false, false, true}));
  EXPECT_EQ(w.pushed({2, 2, 2, 2}), Steps(4, true));
  EXPECT_EQ(w.pushed({9, 2, 2, 2}), (Steps{true, true, true, false}));
}

TEST(SuccessWatch, ChecksOfAllStepsForgetOldOnes) {
  Watched w("check: all_steps_converged, for_s: 0.04");
  w.end(SolveStatus::stalled);
  EXPECT_EQ(w.steps({0, 0, 0}), (Steps{false, false, false}));
  EXPECT_EQ(w.steps({0, 0, 0, 0}), (Steps{false, false, false, true}));
}

TEST(SuccessWatch, NothingComparedAndNoNumberAreNoSuccess) {
  Watched cone("check: friction_in_cone");
  EXPECT_EQ(cone.steps({0, 0, 0, 0}), Steps(4, false)) << "there was no contact";
  EXPECT_FALSE(cone.watch().shortfall());
  Watched place("check: node_position, body: block, below_m: 0.1");
  EXPECT_EQ(place.steps({0, std::numeric_limits<double>::quiet_NaN()}), (Steps{true, false}));
  EXPECT_FALSE(place.watch().shortfall());
}

TEST(SuccessWatch, AllThatIsAskedForMustBeRightAtOnce) {
  const std::string place = "check: node_position, body: block, above_m: 0.1";
  Watched low(place, "flat: {check: node_position, body: block, of: highest, below_m: 0.2}");
  EXPECT_EQ(low.steps({0.15, 0.25, 0.15, 0.05}), (Steps{true, false, true, false}));
  EXPECT_NEAR(low.watch().shortfall().value(), 0.05, 1e-15) << "of the success itself";
  low.steps({0.3});
  EXPECT_EQ(low.watch().shortfall(), 0.0) << "whatever else is wrong";

  // The place is right from the start; the mean of four steps is not before the second window.
  Watched held(place,
               "carried: {check: contact_force, on: block, by: floor, part: z, value_N: 2, "
               "tolerance_N: 0.1}");
  held.steps({0.15});
  EXPECT_EQ(held.pushed({0, 0, 0}), Steps(3, false));
  EXPECT_EQ(held.pushed({2, 2, 2, 2}), (Steps{false, false, false, true}));
}

TEST(SuccessWatch, ForSIsOfAllThatIsAskedFor) {
  Watched w("check: node_position, body: block, above_m: 0.1, for_s: 0.03",
            "flat: {check: node_position, body: block, below_m: 0.2}");
  EXPECT_EQ(w.steps({0.15, 0.15, 0.25, 0.15, 0.15, 0.15}),
            (Steps{false, false, false, false, false, true}));
}

TEST(SuccessWatch, ContinuesFromItsBytes) {
  const std::string place = "check: node_position, body: block, above_m: 0.1, for_s: 0.03";
  const std::string mean =
      "carried: {check: contact_force, on: block, by: floor, part: z, value_N: 2, tolerance_N: "
      "0.1}";
  Watched kept(place, mean), renewed(place, mean);
  renewed.renew_in_every_step();
  for (Watched* watch : {&kept, &renewed}) {
    watch->steps({0.05, 0.15});
    // Windows of four steps: the second ends with the sixth force.
    EXPECT_EQ(watch->pushed({0, 0, 0, 4, 2}), Steps(5, false)) << (watch == &renewed);
    EXPECT_EQ(watch->pushed({2, 1, 3, 2, 2, 9, 2, 2}), Steps(8, true)) << (watch == &renewed);
    EXPECT_EQ(watch->pushed({2}), Steps{false}) << (watch == &renewed);
  }
  EXPECT_EQ(renewed.watch().shortfall(), kept.watch().shortfall());
}

TEST(SuccessWatch, AWindowIsAWholeNumberOfControlSteps) {
  Watched w("check: all_steps_converged, for_s: 0.05");
  EXPECT_EQ(w.steps(std::vector<double>(7, 0.0)), Steps(7, false));
  EXPECT_EQ(w.steps({0}), Steps{true});
}

}  // namespace
}  // namespace nodia
