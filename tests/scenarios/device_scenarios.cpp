/// Every scenario file on the device and on the CPU: the same bits in the state after every step.
/// Skipped where there is no device; the emulated device runs the same tests everywhere.
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/device/device.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

/// So that the longest scenario takes seconds.
const char* const kBound = "solver.max_iterations=400";

/// The environments of a scenario on one backend, and the contact forces of their last step.
class Run {
 public:
  Run(const Batch& batch, const SolverOptions& options, Backend backend)
      : simulation_(scenes(batch), on(options, backend)), lambda_(batch.environments.size()) {}

  const std::vector<StepRecord>& step() {
    return simulation_.step(
        [&](const StepView& view) { lambda_[view.record.env] = view.lambda(); });
  }
  const State& state(int env) const { return simulation_.state(env); }
  const std::vector<Vec3d>& lambda(int env) const { return lambda_[env]; }

 private:
  static std::vector<Scene> scenes(const Batch& batch) {
    std::vector<Scene> all;
    for (const Scenario& s : batch.environments) all.push_back(s.scene);
    return all;
  }
  static SolverOptions on(SolverOptions options, Backend backend) {
    options.of<CondOptions>().backend = backend;
    options.threads = 1;
    return options;
  }

  Simulation simulation_;
  std::vector<std::vector<Vec3d>> lambda_;
};

void expect_same(const Run& cpu, const Run& device, int env) {
  const State &a = cpu.state(env), &b = device.state(env);
  EXPECT_EQ(test::count_different(a.x, b.x), 0) << "positions of nodes";
  EXPECT_EQ(test::count_different(a.frames, b.frames), 0) << "frames";
  EXPECT_EQ(test::count_different(a.q, b.q), 0) << "joint coordinates";
  EXPECT_EQ(test::count_different(a.v, b.v), 0) << "velocities";
  EXPECT_EQ(test::count_different(cpu.lambda(env), device.lambda(env)), 0) << "contact forces";
}

void expect_same(const SolveReport& cpu, const SolveReport& device) {
  EXPECT_EQ(cpu.status, device.status);
  EXPECT_EQ(cpu.iterations, device.iterations);
  EXPECT_EQ(cpu.restarts, device.restarts);
  EXPECT_EQ(cpu.lambda_max_WA, device.lambda_max_WA);
}

/// Stops at the first step that differs.
void expect_cpu_bits(const std::string& file, Precision precision, int n_step,
                     std::vector<std::string> overrides) {
  std::string reason;
  if (!device_available(&reason)) GTEST_SKIP() << reason;
  overrides.insert(overrides.begin(), "solver.solver=cond");
  const Batch batch = load_batch(test::source_file(file), overrides);
  SolverOptions options = batch.environments.front().solver;
  options.of<CondOptions>().precision = precision;
  Run cpu(batch, options, Backend::cpu), device(batch, options, Backend::cuda);
  for (int step = 0; step < n_step && !testing::Test::HasFailure(); ++step) {
    const std::vector<StepRecord>&on_cpu = cpu.step(), &on_device = device.step();
    for (std::size_t e = 0; e < on_cpu.size(); ++e) {
      SCOPED_TRACE(testing::Message() << "step " << step << ", environment " << e);
      expect_same(on_cpu[e].solve, on_device[e].solve);
      expect_same(cpu, device, static_cast<int>(e));
    }
  }
}

/// Those whose virtual nodes come and go, and a kept W: what is uploaded differs from step to step.
struct ShortRun {
  const char* name;
  std::string file;
  int n_step;
  std::vector<std::string> overrides;
};

void PrintTo(const ShortRun& run, std::ostream* out) {
  *out << run.name;
}

class DeviceScenario : public testing::TestWithParam<ShortRun> {};

TEST_P(DeviceScenario, HasTheCpusBitsInEveryStep) {
  const ShortRun& run = GetParam();
  expect_cpu_bits(run.file, Precision::double_, run.n_step, run.overrides);
}

INSTANTIATE_TEST_SUITE_P(
    Short, DeviceScenario,
    testing::Values(
        ShortRun{"grip_creep", "scenarios/grip_creep/grip_creep.yaml", 100, {}},
        ShortRun{"pushed",
                 "scenarios/grip_creep/grip_creep.yaml",
                 30,
                 {kBound,
                  "pushes={shove: {body: block, force_N: [1, -2, 3], from_s: 0.013, "
                  "duration_s: 0.087}}"}},
        ShortRun{"soft_ball", "scenarios/soft_ball/soft_ball.yaml", 60, {kBound}},
        ShortRun{"soft_gripper",
                 "scenarios/soft_gripper/soft_gripper.yaml",
                 42,
                 {kBound, "solver.acceleration=nesterov", "solver.virtual_gain=100"}},
        ShortRun{"kept_w", "scenarios/soft_mat/soft_mat.yaml", 10, {"solver.w_recycle_steps=4"}},
        ShortRun{"three_balls",
                 "scenarios/soft_ball/soft_ball.yaml",
                 8,
                 {kBound, "environments=3", "robots.gripper.q.finger_left=0.041"}}),
    [](const auto& one) { return std::string(one.param.name); });

using FileAndPrecision = std::tuple<std::string, Precision>;

std::string name_of_case(const testing::TestParamInfo<FileAndPrecision>& one) {
  std::string precision = name_of(std::get<Precision>(one.param));
  return test::scenario_name(std::get<std::string>(one.param)) + "_in_" + precision;
}

const auto kEveryPrecision =
    testing::Values(Precision::double_, Precision::mixed, Precision::float_);

class DeviceScenarioSlow : public testing::TestWithParam<FileAndPrecision> {};

TEST_P(DeviceScenarioSlow, HasTheCpusBitsInEveryStep) {
  const auto& [file, precision] = GetParam();
  expect_cpu_bits(file, precision, 200, {kBound});
}

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceScenarioSlow,
                         testing::Combine(testing::ValuesIn(test::scenario_files()),
                                          kEveryPrecision),
                         name_of_case);

}  // namespace
}  // namespace nodia
