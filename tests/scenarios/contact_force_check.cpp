#include <gtest/gtest.h>

#include <cmath>

#include "scenarios/checks/check.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

using Kind = ObjectKind;

/// A ball on the floor beside another body; steps made by hand, 0.01 s each.
class ContactForceTest : public ::testing::Test {
 protected:
  ContactForceTest() : scene_(load_scenario(test::ScenarioFile().path()).scene) {
    scene_.rigid_bodies.emplace_back().name = "ball";
    state_.x.assign(12, Vec3d{});
    const ObjectId ball{Kind::rigid_body, 0, 0}, floor{Kind::obstacle, 0, 0};
    add_contact(ball, floor, {0, 0, 1}, {3, 1, 0});
    add_contact(floor, ball, {0, 0, -1}, {2, 0, 0});                     // the ball is j: also up
    add_contact({Kind::soft_body, 0, 0}, ball, {1, 0, 0}, {7, 0, 0});    // on the ball: along -x
    add_contact({Kind::soft_body, 0, 0}, floor, {0, 0, 1}, {50, 0, 0});  // another's
  }

  void add_contact(ObjectId i, ObjectId j, Vec3d normal, Vec3d lambda) {
    Contact<double> contact;
    contact.R = frame_from_normal(normal);
    contacts_.push_back(contact);
    lambda_.push_back(lambda);
    contact_state_.push_back(ContactState::stick);
    sides_.push_back({i, j, {}, {}});
  }

  CheckResult evaluate(const std::string& on, const std::string& by, ContactForcePart part,
                       double value_N) {
    const ContactForce check{on, by, part, 0, 0.02, value_N, {}, 1e-12};
    ScenarioChecks watched(scene_, {{"c", check}});
    for (int k = 1; k <= 2; ++k) {
      record_.step = k;
      record_.time_s = 0.01 * k;
      watched.observe({record_, layout_,
                       test::GivenStep(state_, {contacts_, lambda_, contact_state_, sides_})});
    }
    return watched.results().at(0);
  }

  Scene scene_;
  BodyLayout layout_;
  StepRecord record_;
  State state_;
  std::vector<Contact<double>> contacts_;
  std::vector<Vec3d> lambda_;
  std::vector<ContactState> contact_state_;
  std::vector<ContactSides> sides_;
};

TEST_F(ContactForceTest, SumsWhatOneObjectDoesToAnother) {
  EXPECT_TRUE(evaluate("ball", "floor", ContactForcePart::z, 5).passed);
  EXPECT_TRUE(evaluate("floor", "ball", ContactForcePart::z, -5).passed);
  EXPECT_TRUE(evaluate("ball", "floor", ContactForcePart::norm, std::hypot(5, 1)).passed);
  const CheckResult wrong = evaluate("ball", "floor", ContactForcePart::z, 4.5);
  EXPECT_FALSE(wrong.passed);
  EXPECT_NEAR(wrong.value, 0.5, 1e-12);
}

TEST_F(ContactForceTest, CountsEverythingElseWhereNobodyIsNamed) {
  EXPECT_TRUE(evaluate("ball", "", ContactForcePart::z, 5).passed);
  EXPECT_TRUE(evaluate("ball", "", ContactForcePart::normal, 12).passed);
}

TEST_F(ContactForceTest, RefusesUnknownNames) {
  EXPECT_THROW(evaluate("bal", "", ContactForcePart::z, 0), InputError);
  EXPECT_THROW(evaluate("ball", "flor", ContactForcePart::z, 0), InputError);
}

}  // namespace
}  // namespace nodia
