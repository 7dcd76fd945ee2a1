/// Compares the steps of every scenario file on the device and on the CPU, bit for bit. The tests
/// skip without a device; the checked host backend runs them on every machine.
#include <gtest/gtest.h>

#include "host/simulation/simulation.hpp"
#include "host/solvers/execution.hpp"
#include "scenarios/build/scenario.hpp"
#include "tests/support/missing_gpu.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/scenario_list.hpp"
#include "tests/support/scenario_run.hpp"
#include "tests/support/source_file.hpp"

namespace nodia {
namespace {

/// Bounds the time of the most expensive scenario.
const char* const kBound = "solver.max_iterations=400";
constexpr int kRestartedSteps = 15;

/// The environments of a scenario on one backend, and the contact forces of their last step.
class Run {
 public:
  Run(const Batch& batch, const SolverOptions& options, Backend backend)
      : simulation_(scenes(batch), on(options, backend)), lambda_(batch.environments.size()) {}

  void load(const Checkpoint& start) { simulation_.load(0, start); }

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
    options.execution.backend = backend;
    options.execution.threads = 1;
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

/// A scenario on the CPU and on the device, with COND in one precision or with its own solver.
class BothRuns {
 public:
  BothRuns(const std::string& file, Precision precision, std::vector<std::string> overrides) {
    overrides.insert(overrides.begin(), "solver.solver=cond");
    batch_ = load_batch(test::source_file(file), overrides);
    options_ = batch_.environments.front().solver;
    options_.execution.precision = precision;
  }
  BothRuns(const std::string& file, const std::vector<std::string>& overrides)
      : batch_(load_batch(test::source_file(file), overrides)),
        options_(batch_.environments.front().solver) {}

  /// Stops at the first step that differs.
  /// @param start  of the only environment; null: the scenario's start
  void expect_same_steps(int n_step, const Checkpoint* start = nullptr) const {
    Run cpu(batch_, options_, Backend::cpu), device(batch_, options_, Backend::cuda);
    if (start) cpu.load(*start), device.load(*start);
    for (int step = 0; step < n_step && !testing::Test::HasFailure(); ++step) {
      const std::vector<StepRecord>&on_cpu = cpu.step(), &on_device = device.step();
      for (std::size_t e = 0; e < on_cpu.size(); ++e) {
        SCOPED_TRACE(testing::Message() << "step " << step << ", environment " << e);
        expect_same(on_cpu[e].solve, on_device[e].solve);
        expect_same(cpu, device, static_cast<int>(e));
      }
    }
  }

 private:
  Batch batch_;
  SolverOptions options_;
};

/// Runs in which the arrays that are uploaded change from step to step, beyond those of the saved
/// states below.
struct ShortRun {
  const char* name;
  std::string file;
  bool from_saved_state;  ///< else from the scenario's start
  int n_step;
  std::vector<std::string> overrides;
};

void PrintTo(const ShortRun& run, std::ostream* out) {
  *out << run.name;
}

class DeviceScenario : public testing::TestWithParam<ShortRun> {};

TEST_P(DeviceScenario, HasTheCpusBitsInEveryStep) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const ShortRun& run = GetParam();
  const BothRuns both(run.file, Precision::double_, run.overrides);
  if (run.from_saved_state) {
    const Checkpoint start = test::run_of(run.file).states.front().for_another_solver();
    both.expect_same_steps(run.n_step, &start);
  } else {
    both.expect_same_steps(run.n_step);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Short, DeviceScenario,
    testing::Values(
        ShortRun{"pushed",
                 "scenarios/grip_creep/grip_creep.yaml",
                 false,
                 15,
                 {kBound,
                  "pushes={shove: {body: block, force_N: [1, -2, 3], from_s: 0.013, "
                  "duration_s: 0.087}}"}},
        ShortRun{"soft_gripper",
                 "scenarios/soft_gripper/soft_gripper.yaml",
                 true,
                 15,
                 {kBound, "solver.acceleration=nesterov", "solver.virtual_gain=100"}},
        ShortRun{
            "kept_w", "scenarios/soft_mat/soft_mat.yaml", false, 10, {"solver.w_recycle_steps=4"}},
        ShortRun{"three_balls",
                 "scenarios/soft_ball/soft_ball.yaml",
                 false,
                 8,
                 {kBound, "environments=3", "robots.gripper.q.finger_left=0.041"}}),
    [](const auto& one) { return std::string(one.param.name); });

/// From the saved states of a whole run on the CPU.
class DeviceScenarioRun : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  }
  /// The first three saved states.
  static std::vector<test::SavedState> starts() {
    std::vector<test::SavedState> all = test::run_of(GetParam()).states;
    all.resize(std::min<std::size_t>(all.size(), 3));
    return all;
  }
  static void expect_cpu_bits(Precision precision) {
    const BothRuns both(GetParam(), precision, {kBound});
    for (const test::SavedState& start : starts()) {
      SCOPED_TRACE(start.name);
      const Checkpoint state = start.for_another_solver();
      both.expect_same_steps(kRestartedSteps, &state);
    }
  }
};

TEST_P(DeviceScenarioRun, HasTheCpusBitsInDouble) {
  expect_cpu_bits(Precision::double_);
}

TEST_P(DeviceScenarioRun, HasTheCpusBitsInMixed) {
  expect_cpu_bits(Precision::mixed);
}

TEST_P(DeviceScenarioRun, HasTheCpusBitsInFloat) {
  expect_cpu_bits(Precision::float_);
}

TEST_P(DeviceScenarioRun, HasTheCpusBitsWithItsOwnSolver) {
  const BothRuns both(GetParam(), {"solver.max_iterations=2000"});
  for (const test::SavedState& start : starts()) {
    SCOPED_TRACE(start.name);
    const Checkpoint state = start.checkpoint();
    both.expect_same_steps(kRestartedSteps, &state);
  }
}

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceScenarioRun, testing::ValuesIn(test::scenario_files()),
                         [](const auto& one) { return test::scenario_name(one.param); });

}  // namespace
}  // namespace nodia
