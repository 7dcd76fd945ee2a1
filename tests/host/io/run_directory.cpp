#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "host/io/run_directory.hpp"
#include "host/io/run_files.hpp"
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

OutputFolder empty(const std::string& path) {
  return {path, run_files(), Existing::keep};
}

TEST(RunDirectory, HoldsARowPerStepAndAFramePerInterval) {
  const test::TemporaryFolder folder;
  Simulation simulation({falling_box()}, SolverOptions{});
  RunDirectory directory(empty(folder.file("a/b")), simulation,
                         {.every_steps = 2, .part_frames = 2});
  EXPECT_TRUE(is_unbegun_run(directory.path()));
  directory.write_configuration("name: box\n");
  EXPECT_FALSE(is_unbegun_run(directory.path()));
  for (int i = 0; i < 7; ++i)
    simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  EXPECT_FALSE(folder.has("a/b/summary.json"));
  directory.write_summary("{}\n");
  EXPECT_EQ(test::text_of(folder.file("a/b/config.yaml")), stamped_configuration("name: box\n"));
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
  RunDirectory directory(empty(folder.path()), simulation, {});
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
  RunDirectory directory(empty(folder.path()), simulation, {.recorded = std::vector{0, 2}});
  directory.write_environment(2, "name: third\n");
  simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  EXPECT_TRUE(folder.has("trajectory_env0000.vtkhdf"));
  EXPECT_FALSE(folder.has("trajectory_env0001.vtkhdf"));
  EXPECT_TRUE(folder.has("trajectory_env0002.vtkhdf"));
  EXPECT_EQ(test::text_of(folder.file("config_env0002.yaml")),
            stamped_configuration("name: third\n"));
  const std::string rows = test::text_of(folder.file("steps.csv"));
  EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 4);
}

/// Poses of a wall and of a frame that holds, both along paths: in every frame where it was then.
TEST(RunDirectory, RecordsWhereObstaclesAndAttachmentsWere) {
  const test::TemporaryFolder folder;
  Scene scene = falling_box();
  ObstacleDescription& wall = scene.obstacles.emplace_back();
  wall.name = "wall";
  wall.shape = {ShapeKind::box, {0.5, 0.5, 0.5}, 0, 0, {}};
  wall.path.profile = PathProfile::linear;
  wall.path.keys = {{0, {5, 0, 0}, {}}, {0.04, {5, 0, 0.8}, {0, 0, 1, 0}}};
  AttachmentDescription& grip = scene.attachments.emplace_back();
  grip.name = "grip";
  grip.body = "box";
  grip.node_set = scene.soft_bodies[0].mesh.node_sets.begin()->first;
  grip.path = wall.path;
  Simulation simulation({scene}, SolverOptions{});
  RunDirectory directory(empty(folder.path()), simulation, {.every_steps = 2});
  for (int i = 0; i < 4; ++i)
    simulation.step([&](const StepView& view) { directory.record(view); });
  directory.close();
  const VtkhdfReader reader(folder.file("trajectory.vtkhdf"));
  const auto poses = nlohmann::json::parse(reader.topology().poses);
  ASSERT_EQ(poses.size(), 3u);
  EXPECT_EQ(poses[0]["name"], "floor");
  EXPECT_EQ(poses[0]["shapes"][0]["shape"], "half_space");
  EXPECT_EQ(poses[1]["kind"], "obstacle");
  EXPECT_EQ(poses[1]["shapes"][0]["shape"], "box");
  EXPECT_EQ(poses[2]["name"], "grip");
  EXPECT_EQ(poses[2]["kind"], "attachment");
  ASSERT_EQ(reader.time_s().size(), 3u);
  for (int i = 0; i < 3; ++i) {
    const Frame frame = reader.read(i);
    const double half = i * 0.25 * std::numbers::pi;
    EXPECT_EQ(norm(frame.position[0]), 0);
    for (int k = 1; k < 3; ++k) {
      EXPECT_NEAR(norm(frame.position[k] - Vec3d{5, 0, 0.4 * i}), 0, 1e-15);
      EXPECT_NEAR(std::abs(frame.orientation[k].w), std::abs(std::cos(half)), 1e-12);
      EXPECT_NEAR(std::abs(frame.orientation[k].y), std::sin(half), 1e-12);
    }
  }
}

/// A run of two steps, its folder's path.
std::string run_into(OutputFolder folder, bool close = true) {
  Simulation simulation({falling_box()}, SolverOptions{});
  RunDirectory directory(std::move(folder), simulation, {.part_frames = 1});
  directory.write_configuration("name: box\n");
  for (int i = 0; i < 2; ++i)
    simulation.step([&](const StepView& view) { directory.record(view); });
  if (close) {
    directory.close();
    directory.write_summary("{\n  \"format\": \"nodia_summary\"\n}\n");
  }
  return directory.path();
}

TEST(RunDirectory, AnEarlierRunStaysOrIsReplacedWhole) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("notes.txt")) << "mine";
  const std::string path = run_into(empty(folder.path()), false);
  EXPECT_EQ(path, folder.path());
  EXPECT_TRUE(folder.has("trajectory.part0002.vtkhdf"));
  std::ofstream(folder.file("trajectory.part0003.vtkhdf.tmp"));

  const test::TemporaryFolder beside;
  const std::string first = run_into(empty(beside.file("r")));
  EXPECT_EQ(first, beside.file("r"));
  EXPECT_EQ(run_into(empty(beside.file("r"))), beside.file("r-2"));
  EXPECT_EQ(run_into(empty(beside.file("r/"))), beside.file("r-3"));

  run_into({folder.path(), run_files(), Existing::replace});
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  EXPECT_EQ(names, (std::vector<std::string>{"config.yaml", "notes.txt", "steps.csv",
                                             "summary.json", "trajectory.vtkhdf"}));
  run_into({folder.path(), run_files(), Existing::replace});  // a run that ended in order
}

TEST(RunDirectory, NothingIsReplacedThatIsNoRuns) {
  for (const char* name :
       {"config.yaml", "config_env0001.yaml", "steps.csv", "summary.json", "trajectory.vtkhdf",
        "trajectory_env0001.part0003.vtkhdf", "summary.json.tmp", "trajectory.vtkhdf.tmp"}) {
    const test::TemporaryFolder folder;
    std::ofstream(folder.file(name)) << "# name: mine\n";
    EXPECT_EQ(OutputFolder(folder.path(), run_files(), Existing::keep).path(),
              folder.path() + "-2");
    EXPECT_THROW(OutputFolder(folder.path(), run_files(), Existing::replace), InputError);
    EXPECT_EQ(test::text_of(folder.file(name)), "# name: mine\n");
    EXPECT_FALSE(folder.has("nodia.lock"));
  }
}

TEST(RunDirectory, AChangedConfigurationIsNoRunsAnyMore) {
  const test::TemporaryFolder folder;
  run_into(empty(folder.path()));
  std::ofstream(folder.file("config.yaml"), std::ios::app) << "# a note\n";
  EXPECT_THROW(OutputFolder(folder.path(), run_files(), Existing::replace), InputError);
  EXPECT_TRUE(folder.has("summary.json"));
}

TEST(RunDirectory, AnInputIsNeverReplaced) {
  const test::TemporaryFolder folder;
  run_into(empty(folder.path()));
  const std::string input = folder.file("config.yaml");
  EXPECT_THROW(OutputFolder(folder.path(), run_files(), Existing::replace, {input}), InputError);
  EXPECT_TRUE(folder.has("config.yaml"));
}

TEST(RunDirectory, LinksAreNotFollowed) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("table")) << "env,step,time_s,\n";
  std::filesystem::create_symlink(folder.file("table"), folder.file("steps.csv"));
  EXPECT_NE(OutputFolder(folder.path(), run_files(), Existing::keep).path(), folder.path());
  EXPECT_THROW(OutputFolder(folder.path(), run_files(), Existing::replace), InputError);
  EXPECT_EQ(test::text_of(folder.file("table")), "env,step,time_s,\n");
}

TEST(OutputFolder, IsOnesOwnWhileItIsHeld) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("r");
  std::optional<OutputFolder> first(std::in_place, path, run_files(), Existing::keep);
  EXPECT_TRUE(folder.has("r/nodia.lock"));
  EXPECT_EQ(OutputFolder(path, run_files(), Existing::keep).path(), path + "-2");
  EXPECT_FALSE(folder.has("r-2"));  // nothing was written into it
  EXPECT_THROW(OutputFolder(path, run_files(), Existing::replace), InputError);
  first.reset();
  EXPECT_FALSE(folder.has("r"));
}

TEST(OutputFolder, ALockThatWasLeftIsNoObstacle) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("nodia.lock")) << "1\n";
  EXPECT_EQ(OutputFolder(folder.path(), run_files(), Existing::keep).path(), folder.path());
  std::ofstream(folder.file("nodia.lock")) << "1\n";
  EXPECT_EQ(OutputFolder(folder.path(), run_files(), Existing::replace).path(), folder.path());
  EXPECT_FALSE(folder.has("nodia.lock"));
}

TEST(OutputFolder, AFileInTheWayIsBadInput) {
  const test::TemporaryFolder folder;
  std::ofstream(folder.file("file")) << "x";
  for (const char* path : {"file", "file/below"})
    EXPECT_THROW(empty(folder.file(path)), InputError);
}

}  // namespace
}  // namespace nodia
