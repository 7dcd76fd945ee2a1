#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "kernels/core/rotation.hpp"
#include "scenarios/checks/check.hpp"
#include "scenarios/checks/masses.hpp"
#include "tests/scenarios/scenario_files.hpp"
#include "tests/support/given_step.hpp"

namespace nodia {
namespace {

using ::testing::ElementsAre;

/// Steps made by hand for a soft box (1 kg), a rigid body (2 kg), a cable of 20 links over 0.4 m
/// along x, two mounts and a robot's wrist; step 0.01 s.
class BodyChecksTest : public ::testing::Test {
 protected:
  BodyChecksTest() : scene_(load_scenario(test::ScenarioFile().path()).scene) {
    scene_.attachments.clear();
    RigidBodyDescription& ball = scene_.rigid_bodies.emplace_back();
    ball.name = "ball";
    ball.mass_kg = 2;
    CableDescription& cable = scene_.cables.emplace_back();
    cable.name = "cable";
    cable.points_m = {{0, 0, 0}, {0.4, 0, 0}};
    cable.links = 20;
    cable.material.drag_translation_N_s_m = 0.3;
    scene_.mounts.emplace_back().name = "base";
    scene_.mounts.emplace_back().name = "tool";
    layout_.add(BodyKind::soft, 12);
    layout_.add(BodyKind::rigid, 1);
    layout_.add(BodyKind::chain, 20);
    state_.x.assign(12, Vec3d{});
    state_.v.assign(12 + 2 * 21, Vec3d{});
    state_.frames.assign(21, FramePose{});
    place_cable([](double s) { return Vec3d{s, 0, 0}; }, {0, std::sqrt(0.5), 0, std::sqrt(0.5)});
    scene_.robots.emplace_back().force_sensors.push_back({"wrist", "hand"});
    record_.sensors.resize(3);  // the wrist holds nothing that is counted
    record_.solve.status = SolveStatus::converged;
  }

  template <class Curve>
  void place_cable(const Curve& curve, Quaternion along) {
    for (int k = 0; k < 20; ++k)
      state_.frames[static_cast<std::size_t>(1 + k)] = {curve((k + 0.5) * 0.02), along};
  }

  ScenarioChecks checks(CheckKind kind) const { return {scene_, {{"c", std::move(kind)}}}; }

  void step(ScenarioChecks& watched) {
    ++record_.step;
    record_.time_s = 0.01 * record_.step;
    watched.observe(
        {record_, layout_, test::GivenStep(state_, {contacts_, lambda_, contact_state_, sides_})});
  }

  void add_contact(ObjectId i, ObjectId j, Vec3d lambda) {
    Contact<double> contact;
    contact.R = frame_from_normal(Vec3d{0, 0, 1});
    contacts_.push_back(contact);
    lambda_.push_back(lambda);
    contact_state_.push_back(ContactState::stick);
    sides_.push_back({i, j, {}, {}});
  }

  /// Rows of a reference of 160 links along the curve, force (k, 0, 0) at step k.
  template <class Curve>
  std::string reference(int n_row, const Curve& curve) const {
    std::string text;
    for (int k = 0; k < n_row; ++k) {
      text += fmt::format("{},{},{},0,0,0,0,0", k, 0.01 * k, k);
      for (int s = 0; s < 9; ++s) {
        const Vec3d x = curve((s * 159 / 8 + 0.5) * 0.4 / 160);
        text += fmt::format(",{},{},{}", x.x, x.y, x.z);
      }
      text += "\n";
    }
    return text;
  }
  std::string file(const std::string& text) const {
    std::ofstream(folder_.file("r.csv")) << text;
    return folder_.file("r.csv");
  }

  Scene scene_;
  BodyLayout layout_;
  StepRecord record_;
  State state_;
  std::vector<Contact<double>> contacts_;
  std::vector<Vec3d> lambda_;
  std::vector<ContactState> contact_state_;
  std::vector<ContactSides> sides_;
  test::TemporaryFolder folder_;
};

/// On a straight cable interpolation is exact, also beyond the outer centres.
TEST_F(BodyChecksTest, AReferenceIsComparedAtEqualArcLength) {
  const auto line = [](double s) { return Vec3d{s, 0, 0}; };
  ReferenceCsv check{"tool", "", file(reference(4, line)), 160, 1.0, 1e-3};
  ScenarioChecks watched = checks(check);
  const double forces[] = {1, 2 + 0.3, 3};
  for (const double force : forces) {
    EXPECT_THAT(watched.not_reached(), ElementsAre("c"));
    record_.sensors[1].force_N = {force, 0, 0};
    record_.sensors[0].force_N = {100, 0, 0};
    step(watched);
  }
  const auto results = watched.results();
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].name, "c.force");
  EXPECT_NEAR(results[0].value, 0.3 / std::sqrt(3), 1e-12);
  EXPECT_EQ(results[0].bound, 1.0);
  EXPECT_TRUE(results[0].passed);
  EXPECT_EQ(results[1].name, "c.position");
  EXPECT_NEAR(results[1].value, 0, 1e-12);
  EXPECT_TRUE(results[1].passed);
}

TEST_F(BodyChecksTest, TheFarthestOfTheNineLinksCounts) {
  const auto bent = [](double s) { return Vec3d{s, 0, s > 0.39 ? 0.02 : 0.0}; };
  ReferenceCsv check{"tool", "cable", file(reference(3, bent)), 160, {}, 1e-3};
  ScenarioChecks watched = checks(check);
  step(watched);
  step(watched);
  ASSERT_EQ(watched.results().size(), 1u);
  EXPECT_NEAR(watched.results()[0].value, 0.02, 1e-12);
  EXPECT_FALSE(watched.results()[0].passed);
}

/// A run that is shorter than the reference, and a reference without a file.
TEST_F(BodyChecksTest, AReferenceIsReachedAtTheEndOfTheRun) {
  scene_.time.duration_s = 0.02;
  const auto line = [](double s) { return Vec3d{s, 0, 0}; };
  ScenarioChecks watched = checks(ReferenceCsv{"tool", "", file(reference(9, line)), 160, 9.0, {}});
  step(watched);
  EXPECT_TRUE(watched.results().empty());
  step(watched);
  EXPECT_EQ(watched.results().size(), 1u);
  ScenarioChecks none = checks(ReferenceCsv{"tool", "", {}, {}, 1.0, {}});
  step(none);
  ASSERT_EQ(none.results().size(), 1u);
  EXPECT_FALSE(none.results()[0].passed);
  EXPECT_EQ(none.results()[0].not_compared, "no file is given as reference");
  EXPECT_FALSE(none.results()[0].failed());
}

TEST_F(BodyChecksTest, BadReferencesAreRefused) {
  const auto line = [](double s) { return Vec3d{s, 0, 0}; };
  EXPECT_THROW(checks(ReferenceCsv{"tool", "", file("1,2,3\n"), {}, 1.0, {}}), InputError);
  EXPECT_THROW(checks(ReferenceCsv{"tool", "", file(reference(1, line)), {}, 1.0, {}}), InputError);
  EXPECT_THROW(checks(ReferenceCsv{"tool", "", folder_.file("no.csv"), {}, 1.0, {}}), InputError);
  EXPECT_THROW(checks(ReferenceCsv{"tol", "", {}, {}, 1.0, {}}), InputError);
  EXPECT_THROW(checks(ReferenceCsv{"tool", "cabel", {}, {}, 1.0, {}}), InputError);
}

TEST_F(BodyChecksTest, PositionsOfBodiesAndEnds) {
  state_.frames[0].position = {1, 2, 3};
  const auto value = [&](const std::string& body, MountPoint at, Axis axis, Statistic of) {
    record_ = {};
    BodyPosition check{body, at, axis, of, 0.01, -10.0, 10.0};
    ScenarioChecks watched = checks(check);
    step(watched);
    return watched.results().at(0).value;
  };
  EXPECT_EQ(value("ball", MountPoint::body, Axis::y, Statistic::mean), 2);
  EXPECT_NEAR(value("cable", MountPoint::rear, Axis::x, Statistic::mean), 0, 1e-15);
  EXPECT_NEAR(value("cable", MountPoint::front, Axis::x, Statistic::mean), 0.4, 1e-15);
  EXPECT_NEAR(value("cable", MountPoint::body, Axis::x, Statistic::mean), 0.2, 1e-15);
  EXPECT_NEAR(value("cable", MountPoint::body, Axis::x, Statistic::highest), 0.39, 1e-15);
  EXPECT_THROW(checks(BodyPosition{"block", {}, {}, {}, {}, 0.0, {}}), InputError);
}

TEST_F(BodyChecksTest, SensorsAreMeansOverTheWindow) {
  ScenarioChecks z = checks(SensorForce{"tool", ForcePart::z, 0.01, 0.03, 2, {}, 0.25});
  ScenarioChecks size = checks(SensorForce{"tool", ForcePart::norm, 0.01, 0.03, 5, 0.2, {}});
  const Vec3d forces[] = {{9, 9, 9}, {4, 0, 3}, {0, -4, 0.5}, {9, 9, 9}};
  for (const Vec3d force : forces) {
    record_.sensors[1].force_N = force;
    step(z);
    --record_.step;
    step(size);
  }
  EXPECT_NEAR(z.results()[0].value, 0.25, 1e-12);
  EXPECT_TRUE(z.results()[0].passed);
  EXPECT_NEAR(size.results()[0].value, 5 - (5 + std::hypot(4, 0.5)) / 2, 1e-12);
  EXPECT_EQ(size.results()[0].bound, 1);
  ScenarioChecks wrist = checks(SensorForce{"wrist", ForcePart::x, 0.04, 0.05, 7, {}, 1e-12});
  record_.sensors[2].force_N = {7, 0, 0};
  step(wrist);
  EXPECT_TRUE(wrist.results()[0].passed);
  record_ = {};
  ScenarioChecks missing = checks(SensorForce{"tool", ForcePart::z, 0, 0.01, 2, {}, 1e9});
  step(missing);
  EXPECT_FALSE(missing.results()[0].passed);  // a record without sensors is no force
}

/// Momenta made from random forces of every kind, by theta = 1 and theta = 1/2.
TEST_F(BodyChecksTest, ForcesBalanceTheChangeOfMomentum) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto any = [&] { return Vec3d{value(random), value(random), value(random)}; };
  const ObjectId soft{ObjectKind::soft_body, 0, 0}, robot{ObjectKind::robot, 0, 3},
      cable{ObjectKind::cable, 0, 4}, floor{ObjectKind::obstacle, 0, 0};
  scene_.rigid_bodies[0].force_N = {1, 2, 3};
  scene_.rigid_bodies[0].velocity_m_s = {0.1, 0, 0};
  scene_.soft_bodies[0].velocity = {0, 0.2, 0};
  const double alpha = scene_.soft_bodies[0].material.rayleigh_mass_1_s = 0.7;
  const double link_kg = 1000 * std::numbers::pi * 4e-6 * 0.02;
  for (const double theta : {1.0, 0.5}) {
    scene_.time.theta = theta;
    record_.step = 0;
    ScenarioChecks watched = checks(ForceBalance{0, 0.05, {}, 1e-9});
    ScenarioChecks from_middle = checks(ForceBalance{0.02, 0.05, 1e-10, {}});
    // All nodes of a body have its velocity.
    Vec3d v_soft{0, 0.2, 0}, v_ball{0.1, 0, 0}, v_links{};
    for (int k = 0; k < 5; ++k) {
      contacts_.clear(), lambda_.clear(), contact_state_.clear(), sides_.clear();
      add_contact(soft, floor, any());
      add_contact(robot, cable, any());
      add_contact(cable, soft, any());
      for (Wrench& sensor : record_.sensors) sensor.force_N = any();
      Vec3d force = transpose_times(contacts_[0].R, lambda_[0]) -
                    transpose_times(contacts_[1].R, lambda_[1]) - record_.sensors[0].force_N -
                    record_.sensors[1].force_N + Vec3d{1, 2, 3};
      force += (3 + 20 * link_kg) * scene_.gravity_m_s2;
      // Soft body and ball move at random; the links take what is left, drag included:
      //   20 m (v' - v)/t + 20 c (theta v' + (1 - theta) v) = rest
      const Vec3d soft_next = any(), ball_next = any();
      const Vec3d soft_hat = theta * soft_next + (1 - theta) * v_soft;
      const Vec3d rest =
          force - 100.0 * (soft_next - v_soft) - alpha * soft_hat - 200.0 * (ball_next - v_ball);
      const double m = 20 * link_kg * 100, c = 20 * 0.3;
      v_links = (1 / (m + c * theta)) * (rest + (m - c * (1 - theta)) * v_links);
      v_soft = soft_next, v_ball = ball_next;
      for (int n = 0; n < 12; ++n) state_.v[static_cast<std::size_t>(n)] = v_soft;
      for (int f = 0; f < 21; ++f)
        state_.v[static_cast<std::size_t>(layout_.frame_row(f))] = f == 0 ? v_ball : v_links;
      step(watched);
      --record_.step;
      step(from_middle);
    }
    EXPECT_LT(watched.results()[0].value, 1e-10);
    EXPECT_LT(from_middle.results()[0].value, 1e-10);
    EXPECT_NEAR(from_middle.results()[0].bound, 1e-10 * ((3 + 20 * link_kg) * 9.81 + std::sqrt(14)),
                1e-16);
  }
  ScenarioChecks wrong = checks(ForceBalance{0.05, 0.06, {}, 1e-9});
  step(wrong);
  step(wrong);
  EXPECT_FALSE(wrong.results()[0].passed);
}

TEST_F(BodyChecksTest, DriftIsTheSpeedOfTheMeanPosition) {
  for (const char* body : {"ball", "block", "cable"}) {
    record_ = {};
    ScenarioChecks watched = checks(Drift{body, 0.01, 0.04, 0.05});
    for (int k = 0; k < 4; ++k) {
      for (Vec3d& x : state_.x) x = {0, 0, 1e-3 * k};
      for (FramePose& frame : state_.frames) frame.position.z = 1e-3 * k;
      step(watched);
    }
    EXPECT_NEAR(watched.results()[0].value, 0.1, 1e-12) << body;
    EXPECT_FALSE(watched.results()[0].passed);
  }
}

TEST_F(BodyChecksTest, TheTotalMassIsThatOfAllBodies) {
  EXPECT_NEAR(total_mass(scene_), 1 + 2 + 1000 * std::numbers::pi * 4e-6 * 0.4, 1e-12);
}

}  // namespace
}  // namespace nodia
