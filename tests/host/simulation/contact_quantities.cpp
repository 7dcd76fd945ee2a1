#include "host/simulation/contact_quantities.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/contact_column.hpp"
#include "tests/support/gravity.hpp"
#include "tests/support/rigid_bodies.hpp"
#include "tests/support/scenes.hpp"

namespace nodia {
namespace {

using testing::ElementsAre;
using testing::Pair;

/// Names of the columns and indices of their types in ContactRecord::Values.
std::vector<std::pair<std::string, std::size_t>> columns(ContactNames names) {
  std::vector<std::pair<std::string, std::size_t>> found;
  for (const ContactRecord::Column& column : empty_contact_record(names).columns)
    found.emplace_back(column.name, column.values.index());
  return found;
}

/// Names, types and order of the datasets decide the bytes of a trajectory.
TEST(ContactQuantities, AreTheColumnsOfTheRecords) {
  constexpr std::size_t kNumber = 0, kVector = 1, kByte = 2, kIndex = 3;
  EXPECT_THAT(
      columns(&ContactQuantity::in_trajectory),
      ElementsAre(Pair("position", kVector), Pair("force", kVector), Pair("slip_velocity", kVector),
                  Pair("gap_end", kNumber), Pair("state", kByte), Pair("body_i", kIndex),
                  Pair("link_i", kIndex), Pair("body_j", kIndex), Pair("link_j", kIndex)));
  EXPECT_THAT(columns(&ContactQuantity::in_dataset),
              ElementsAre(Pair("position_m", kVector), Pair("force_N", kVector),
                          Pair("slip_velocity_m_s", kVector), Pair("gap_end_m", kNumber),
                          Pair("state", kByte), Pair("body_i", kIndex), Pair("link_i", kIndex),
                          Pair("body_j", kIndex), Pair("link_j", kIndex)));
  EXPECT_THAT(columns(&ContactQuantity::in_python),
              ElementsAre(Pair("position_m", kVector), Pair("position_on_j_m", kVector),
                          Pair("force_N", kVector), Pair("normal", kVector),
                          Pair("slip_velocity_m_s", kVector), Pair("gap_end_m", kNumber),
                          Pair("state", kByte), Pair("i", kIndex), Pair("link_i", kIndex),
                          Pair("j", kIndex), Pair("link_j", kIndex)));
}

TEST(ContactQuantities, SayShapeMeaningAndUnit) {
  const ContactRecord record = empty_contact_record(&ContactQuantity::in_python);
  EXPECT_EQ(record.columns[2].quantity->text(), "(n, 3) force of j on i, mean over the step [N]");
  EXPECT_EQ(record.columns[6].quantity->text(), "(n,) 0 open, 1 stick, 2 slip");
}

TEST(ContactQuantities, ARecordKnowsItsSize) {
  EXPECT_EQ(ContactRecord().n_contact(), 0u);
  const ContactRecord record = empty_contact_record(&ContactQuantity::in_trajectory);
  EXPECT_EQ(record.n_contact(), 0u);
  std::size_t bytes = 0;
  for (const auto& [name, type] : columns(&ContactQuantity::in_trajectory))
    bytes += std::vector<std::size_t>{8, 24, 1, 4}[type];
  EXPECT_EQ(record.bytes_per_contact(), bytes);
}

ContactRecord record_of(const StepView& view, const Scene& scene,
                        ContactNames names = &ContactQuantity::in_trajectory) {
  return contact_record(view.source.contacts(), Objects(scene), names);
}

/// A soft box that slides on a floor that rises.
Scene sliding_box(double theta) {
  Scene scene = test::box_scene({0.1, 0.1, 0.1}, {2, 2, 2}, {0, 0, 1e-3});
  scene.gravity_m_s2 = {0, 0, -test::kG};
  scene.time.theta = theta;
  scene.soft_bodies[0].velocity = {0.3, 0, -0.1};
  scene.obstacles.push_back(test::floor_obstacle(0.4));
  scene.obstacles[0].path.keys = {{0, {0, 0, 0}, {}}, {1, {0, 0, 0.05}, {}}};
  return scene;
}

/// Nodes move by the solution and the floor is flat, so the linear gap is the distance at the end.
TEST(ContactQuantities, GapsAtTheEndOfAStepAreDistancesInItsState) {
  const std::vector<std::pair<std::string, double>> solvers = {
      {"cond", 1}, {"cond", 0.5}, {"newton", 1}, {"xpbd", 1}};
  for (const auto& [solver, theta] : solvers) {
    SolverOptions options;
    options.solver = solver;
    Simulation simulation({sliding_box(theta)}, options);
    std::size_t n_contact = 0;
    for (int k = 0; k < 30; ++k)
      simulation.step([&](const StepView& view) {
        const auto gaps =
            test::contact_column<double>(record_of(view, simulation.scene()), "gap_end");
        ASSERT_EQ(gaps.size(), view.contacts().size());
        for (std::size_t m = 0; m < gaps.size(); ++m) {
          const auto node = static_cast<std::size_t>(view.contacts()[m].side_i);
          const double distance_m = view.state().x[node].z - view.obstacle_poses.at(0).position.z;
          EXPECT_NEAR(gaps[m], distance_m, 1e-13) << solver << " theta " << theta << " step " << k;
        }
        n_contact += gaps.size();
      });
    EXPECT_GT(n_contact, 30u) << solver << " theta " << theta;
  }
}

TEST(ContactQuantities, ARestingRigidBoxHasNoGapInAnyRecord) {
  Scene scene;
  scene.name = "rest";
  scene.obstacles.push_back(test::floor_obstacle(0.4));
  scene.rigid_bodies.push_back(test::rigid_box("box", {0.2, 0.2, 0.1}, 1, {0, 0, 0.05}));
  Simulation simulation({scene}, test::tight(1e-10));
  for (int k = 0; k < 10; ++k)
    simulation.step([&](const StepView& view) {
      const auto gaps = [&](ContactNames names, const char* name) {
        return test::contact_column<double>(record_of(view, scene, names), name);
      };
      const std::vector<double> of_trajectory = gaps(&ContactQuantity::in_trajectory, "gap_end");
      EXPECT_GE(of_trajectory.size(), 4u);
      for (const double gap_m : of_trajectory) EXPECT_NEAR(gap_m, 0, 1e-10);
      EXPECT_EQ(gaps(&ContactQuantity::in_dataset, "gap_end_m"), of_trajectory);
      EXPECT_EQ(gaps(&ContactQuantity::in_python, "gap_end_m"), of_trajectory);
    });
}

TEST(ContactQuantities, AFailedStepHasNoGaps) {
  EXPECT_TRUE(std::isnan(ContactSides().gap_end_m));
  Simulation simulation({sliding_box(1)}, test::tight(1e-9));
  simulation.step();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  simulation.set_frame_target(0, "floor", {{nan, 0, 0}, Mat3d::identity()}, 1);
  int n_step = 0;
  simulation.step([&](const StepView& view) {
    ++n_step;
    EXPECT_EQ(view.record.solve.status, SolveStatus::not_a_number);
    const ContactRecord record = record_of(view, simulation.scene());
    for (const double gap_m : test::contact_column<double>(record, "gap_end"))
      EXPECT_TRUE(std::isnan(gap_m));
  });
  EXPECT_EQ(n_step, 1);
}

}  // namespace
}  // namespace nodia
