/// Tests the copies per step: no data of A are copied if the device assembles it.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/device/shared_arrays.hpp"
#include "kernels/launch/kernel.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

/// Copies of one step, with the sizes to which they are compared.
struct Moved {
  double up = 0, down = 0;  ///< [B]
  int n_env = 0;
  int n_row = 0;      ///< rows of all environments, in whole chunks
  int n_contact = 0;  ///< contacts of all environments
};

/// Measures a step without changed data.
Moved moved_in_a_step(const std::string& file, Precision precision,
                      std::vector<std::string> overrides) {
  for (const char* own : {"solver.solver=cond", "solver.max_iterations=60"})
    overrides.emplace_back(own);
  const Batch batch = load_batch(test::source_file(file), overrides);
  SolverOptions options = batch.environments.front().solver;
  options.execution.threads = 1;
  options.execution.backend = Backend::cuda;
  options.execution.precision = precision;
  std::vector<Scene> scenes;
  for (const Scenario& s : batch.environments) scenes.push_back(s.scene);
  Simulation simulation(std::move(scenes), options);
  for (int step = 0; step < 3; ++step) simulation.step();
  CheckedHost& device = checked_host();
  device.bytes_up = device.bytes_down = 0;
  Moved moved;
  for (const StepRecord& record : simulation.step()) {
    const int n_row = simulation.layout(record.env).n_row();
    moved.n_row += item_count(n_row) * kBlockLanes;
    moved.n_contact += record.n_contact;
    ++moved.n_env;
  }
  moved.up = static_cast<double>(device.bytes_up);
  moved.down = static_cast<double>(device.bytes_down);
  return moved;
}

/// Beyond the fixed data, a step copies one count per row and one contact per index; slices have
/// some more indices than contacts.
void expect_no_more(const Moved& moved, int real_bytes) {
  const double fixed = 8e3 + 2e3 * moved.n_env, slots = 1.1 * moved.n_contact + 64.0 * moved.n_env;
  EXPECT_LE(moved.up, fixed + 4 * moved.n_row + 300 * slots);
  EXPECT_LE(moved.down, fixed + kNodeStride * real_bytes * (moved.n_row + slots));
}

/// Environments whose step runs entirely on the device.
void expect_nothing_of_the_bodies_size(const Moved& moved) {
  EXPECT_LE(moved.up + moved.down, 8000 + 512 * moved.n_env);
}

TEST(DeviceTransfers, AStepOfSoftBodiesMovesNothingOfTheSizeOfA) {
  for (const auto& [precision, real_bytes] :
       {std::pair{Precision::double_, 8}, {Precision::mixed, 8}, {Precision::float_, 4}}) {
    SCOPED_TRACE(name_of(precision));
    const Moved mat = moved_in_a_step("scenarios/soft_mat/soft_mat.yaml", precision, {});
    expect_nothing_of_the_bodies_size(mat);
    const Moved ball = moved_in_a_step("scenarios/soft_ball/soft_ball.yaml", precision, {});
    expect_no_more(ball, real_bytes);
    const Moved mats =
        moved_in_a_step("scenarios/soft_mat/soft_mat.yaml", precision, {"environments=3"});
    expect_nothing_of_the_bodies_size(mats);
    // This mat may collide with itself, but does not.
    const Moved alone = moved_in_a_step("scenarios/soft_mat/soft_mat.yaml", precision,
                                        {"environments=3", "bodies.mat.self_contact=true"});
    expect_nothing_of_the_bodies_size(alone);
  }
}

TEST(DeviceTransfers, EqualConstantArraysLieOnTheDeviceOnce) {
  SharedDeviceArrays arrays;
  const auto owned = [](std::vector<double> values) {
    return std::make_shared<const std::vector<double>>(std::move(values));
  };
  const auto get = [&](const std::shared_ptr<const std::vector<double>>& a) {
    return arrays.get(a, a->data(), a->size(), nullptr);
  };
  auto a = owned({1, 2, 3}), b = owned({1, 2, 3}), c = owned({1, 2, 4}), shorter = owned({1, 2});
  std::shared_ptr<const double> on_a = get(a), on_b = get(b), on_c = get(c), on_d = get(shorter);
  EXPECT_EQ(on_a, on_b);
  EXPECT_NE(on_a, on_c);
  EXPECT_NE(on_a, on_d);
  EXPECT_EQ(on_c.get()[2], 4);
  EXPECT_EQ(arrays.n_held(), 3);
  // The owner of the first array is retained, because later arrays are compared with it.
  std::weak_ptr<const std::vector<double>> kept = a;
  a.reset();
  on_a.reset();
  EXPECT_FALSE(kept.expired());
  EXPECT_EQ(get(owned({1, 2, 3})), on_b);
  on_b.reset();
  EXPECT_TRUE(kept.expired());
  EXPECT_EQ(arrays.n_held(), 2);
  EXPECT_EQ(arrays.get(b, b->data(), 0, nullptr), nullptr);
  // Arrays without an owner are deleted.
  for (int k = 0; k < 1000; ++k) get(owned({static_cast<double>(k)}));
  EXPECT_EQ(arrays.n_held(), 2);
}

TEST(DeviceTransfers, ConstantArraysThatAreMadeThereAreNotSent) {
  SharedDeviceArrays arrays;
  const auto values = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3});
  const auto place = [&](bool* is_new) {
    return arrays.place(values, values->data(), values->size(), is_new);
  };
  const std::int64_t before = checked_host().bytes_up;
  bool is_new = false;
  const std::shared_ptr<double> made = place(&is_new);
  EXPECT_TRUE(is_new);
  bool again = false;
  EXPECT_EQ(place(&again), made);
  EXPECT_FALSE(again);
  EXPECT_EQ(arrays.get(values, values->data(), values->size(), nullptr), made);
  EXPECT_EQ(checked_host().bytes_up, before);
}

}  // namespace
}  // namespace nodia
