/// Tests that the host's cost of a step beside the device's work is proportional to the number of
/// environments, from 100 on.
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/counted_memory.hpp"
#include "tests/support/scenes.hpp"

namespace nodia::test {
namespace {

constexpr int kSteps = 3;

/// Cubes on a floor, in seven kinds of contact.
std::vector<Scene> cubes(int n_env) {
  std::vector<Scene> scenes;
  for (int e = 0; e < n_env; ++e) {
    scenes.push_back(box_scene({0.1, 0.1, 0.1}, {1, 1, 1}, {0, 0, 1e-3 * (e % 7)}));
    scenes.back().gravity_m_s2 = {0, 0, -9.81};
    scenes.back().obstacles.push_back(floor_obstacle(0.3));
  }
  return scenes;
}

struct Counts {
  double new_per_env = 0;         ///< calls of operator new in a step
  std::int64_t copies = 0;        ///< between host and device, in a step
  std::int64_t n_allocation = 0;  ///< allocations of device memory, in all steps
};

/// Counts of steps after the first ones.
Counts counts_of(int n_env) {
  SolverOptions options;
  options.solver = "cond";
  options.max_iterations = 5;
  options.execution.backend = Backend::cuda;
  Simulation simulation(cubes(n_env), options);
  for (int k = 0; k < kSteps; ++k) simulation.step();
  const CheckedHost& device = checked_host();
  const long before = n_new;
  const std::int64_t copies = device.n_copy, allocations = device.n_allocation;
  for (int k = 0; k < kSteps; ++k) simulation.step();
  return {static_cast<double>(n_new - before) / (kSteps * n_env), (device.n_copy - copies) / kSteps,
          device.n_allocation - allocations};
}

void expect_in_proportion(int n_env) {
  const Counts few = counts_of(100), many = counts_of(n_env);
  // Fixed costs of a step are shared by more environments.
  EXPECT_LE(many.new_per_env, few.new_per_env);
  EXPECT_LE(many.new_per_env, 3);
  EXPECT_EQ(many.copies, few.copies);
  EXPECT_LE(many.copies, 60);
  EXPECT_LE(many.n_allocation, 20);  // arrays of contacts grow by half
}

TEST(DeviceBatchOf, AThousandCostsInProportion) {
  expect_in_proportion(1000);
}

TEST(DeviceBatchOf, TenThousandCostInProportion) {
  expect_in_proportion(10000);
}

}  // namespace
}  // namespace nodia::test
