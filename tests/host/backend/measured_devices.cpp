/// Tests the choice of `--backend auto` from the table of measured devices.
#include "host/backend/measured_devices.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "tests/support/scenes.hpp"

namespace nodia {
namespace {

constexpr const char* kMeasured = "NVIDIA H200";

TEST(MeasuredDevices, HaveOneRowForADeviceAndSolver) {
  std::set<std::pair<std::string, std::string>> seen;
  for (const MeasuredDevice& row : kMeasuredDevices) {
    EXPECT_TRUE(is_measured(row.solver));
    EXPECT_GT(row.n_row, 0);
    EXPECT_TRUE(seen.emplace(row.device, row.solver).second) << row.device << ", " << row.solver;
  }
  EXPECT_FALSE(is_measured("newton"));
  EXPECT_FALSE(is_measured("pgs"));
}

TEST(MeasuredDevices, AreChosenFromTheMeasuredSizeOn) {
  for (const MeasuredDevice& row : kMeasuredDevices) {
    for (const std::int64_t n_row : {std::int64_t{0}, row.n_row / 2, row.n_row - 1})
      EXPECT_EQ(choose_backend(row.device, row.solver, {n_row}).backend, Backend::cpu) << n_row;
    for (const std::int64_t n_row : {row.n_row, row.n_row + 1, std::int64_t{6'000'000'000}})
      EXPECT_EQ(choose_backend(row.device, row.solver, {n_row}).backend, Backend::cuda) << n_row;
  }
}

TEST(MeasuredDevices, ReasonNamesSizesDeviceAndPage) {
  EXPECT_EQ(choose_backend(kMeasured, "cond", {1200}).because,
            "1,200 rows are fewer than 14,976, from which cond is faster on NVIDIA H200 "
            "(docs/gpu.md)");
  EXPECT_EQ(choose_backend(kMeasured, "cond", {900, 3}).because,
            "900 rows in 3 environments are fewer than 14,976, from which cond is faster on NVIDIA "
            "H200 (docs/gpu.md)");
  EXPECT_EQ(choose_backend(kMeasured, "cond", {6'160'384, 4096}).because,
            "6,160,384 rows in 4096 environments are at least 14,976, from which cond is faster on "
            "NVIDIA H200 (docs/results/2026-11-26.md)");
}

TEST(MeasuredDevices, OtherDevicesSolversAndBodiesRunOnTheCpu) {
  for (const auto& [device, solver, because] :
       {std::tuple{"NVIDIA A100", "cond", "docs/gpu.md has no measurement of cond on NVIDIA A100"},
        {"NVIDIA H200 NVL", "cond", "docs/gpu.md has no measurement of cond on NVIDIA H200 NVL"},
        {kMeasured, "newton", "docs/gpu.md has no measurement of newton on NVIDIA H200"}}) {
    const BackendChoice choice = choose_backend(device, solver, {1'000'000});
    EXPECT_EQ(choice.backend, Backend::cpu);
    EXPECT_EQ(choice.because, because);
  }
  const BackendChoice with_robot = choose_backend(kMeasured, "cond", {1'000'000, 1, false});
  EXPECT_EQ(with_robot.backend, Backend::cpu);
  EXPECT_EQ(with_robot.because,
            "docs/gpu.md has measurements of cond on NVIDIA H200 only in scenes of soft bodies and "
            "obstacles");
}

TEST(MeasuredDevices, WorkloadsOfScenesAndTheirProblemsAreEqual) {
  const Scene mat = test::mat_on_rising_ball(1e5, 100, 0.01, 1);
  const auto n_node = static_cast<std::int64_t>(mat.soft_bodies[0].mesh.nodes.size());
  EXPECT_EQ(workload_of(mat, 100'000'000).n_row, 100'000'000 * n_node);

  Scene with_block = mat;
  RigidBodyDescription block;
  block.name = "block";
  block.shape.kind = ShapeKind::sphere;
  block.shape.radius = 0.02;
  block.pose.position = {0.15, 0.15, 0.028};
  with_block.rigid_bodies.push_back(block);
  for (const Scene& scene : {mat, with_block}) {
    Simulation simulation({scene, scene}, test::tight(1e-6));
    const Workload of_scene = workload_of(scene, 2);
    const Workload of_problem = workload_of(simulation.build_problem());
    if (scene.rigid_bodies.empty()) {
      EXPECT_EQ(of_scene.n_row, 2 * n_node);
      EXPECT_EQ(of_problem.n_row, 2 * n_node);
    }
    EXPECT_EQ(of_scene.n_env, 2);
    EXPECT_EQ(of_problem.n_env, 2);
    EXPECT_EQ(of_scene.only_soft_bodies, scene.rigid_bodies.empty());
    EXPECT_EQ(of_problem.only_soft_bodies, scene.rigid_bodies.empty());
  }
}

}  // namespace
}  // namespace nodia
