#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/io/run_directory.hpp"
#include "host/solvers/solver_options.hpp"
#include "kernels/core/error.hpp"
#include "tests/support/scenes.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

Scene falling_box() {
  Scene scene = test::box_scene({0.1, 0.1, 0.1}, {1, 1, 1}, {0, 0, 0.002});
  scene.gravity_m_s2 = {0, 0, -9.81};
  scene.obstacles.push_back(test::floor_obstacle(0.3));
  return scene;
}

TEST(RunDirectory, HoldsARowPerStepAndAFramePerInterval) {
  const test::TemporaryFolder folder;
  Simulation simulation({falling_box()}, SolverOptions{});
  RunDirectory directory(folder.file("a/b"), "name: box\n", simulation,
                         {.every_steps = 2, .part_frames = 2});
  for (int i = 0; i < 7; ++i)
    simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  EXPECT_FALSE(folder.has("a/b/summary.json"));
  directory.write_summary("{}\n");
  EXPECT_EQ(test::text_of(folder.file("a/b/config.yaml")), "name: box\n");
  EXPECT_EQ(test::text_of(folder.file("a/b/summary.json")), "{}\n");
  const std::string rows = test::text_of(folder.file("a/b/steps.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 8);
  const VtkhdfReader reader(folder.file("a/b/trajectory.vtkhdf"));
  ASSERT_EQ(reader.time_s().size(), 4u);
  for (int i = 0; i < 4; ++i) EXPECT_DOUBLE_EQ(reader.time_s()[i], 0.02 * i);
  EXPECT_DOUBLE_EQ(reader.read(0).x[0].z, 0.002);
  EXPECT_GT(reader.read(3).contact_force[0].z, 0);
}

TEST(RunDirectory, SeveralEnvironmentsShareTheTableAndHaveTheirOwnTrajectories) {
  const test::TemporaryFolder folder;
  Scene second = falling_box();
  second.gravity_m_s2 = {};
  Simulation simulation({falling_box(), second}, SolverOptions{});
  RunDirectory directory(folder.path(), "", simulation, {});
  for (int i = 0; i < 3; ++i)
    simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  const std::string rows = test::text_of(folder.file("steps.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 7);
  EXPECT_LT(VtkhdfReader(folder.file("trajectory_env0000.vtkhdf")).read(3).velocity[7].z, -0.05);
  EXPECT_EQ(VtkhdfReader(folder.file("trajectory_env0001.vtkhdf")).read(3).velocity[7].z, 0);
}

TEST(RunDirectory, RecordsTheEnvironmentsAskedFor) {
  const test::TemporaryFolder folder;
  Simulation simulation({falling_box(), falling_box(), falling_box()}, SolverOptions{});
  RunDirectory directory(folder.path(), "", simulation, {.recorded = std::vector{0, 2}});
  directory.write_environment(2, "name: third\n");
  simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  EXPECT_TRUE(folder.has("trajectory_env0000.vtkhdf"));
  EXPECT_FALSE(folder.has("trajectory_env0001.vtkhdf"));
  EXPECT_TRUE(folder.has("trajectory_env0002.vtkhdf"));
  EXPECT_EQ(test::text_of(folder.file("config_env0002.yaml")), "name: third\n");
  const std::string rows = test::text_of(folder.file("steps.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4);
}

TEST(RunDirectory, AnEarlierRunIsReplaced) {
  const test::TemporaryFolder folder;
  for (const char* name :
       {"summary.json", "trajectory.part0003.vtkhdf", "config_env0003.yaml", "notes.txt"})
    std::ofstream(folder.file(name)) << "old";
  Simulation simulation({falling_box()}, SolverOptions{});
  const RunDirectory directory(folder.path(), "new", simulation, {});
  EXPECT_FALSE(folder.has("summary.json"));
  EXPECT_FALSE(folder.has("trajectory.part0003.vtkhdf"));
  EXPECT_FALSE(folder.has("config_env0003.yaml"));
  EXPECT_EQ(test::text_of(folder.file("notes.txt")), "old");
}

TEST(RunDirectory, AFileInTheWayIsBadInput) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  Simulation simulation({falling_box()}, SolverOptions{});
  for (const char* path : {"file", "file/below"})
    EXPECT_THROW(RunDirectory(folder.file(path), "", simulation, {}), InputError);
}

}  // namespace
}  // namespace nodia
