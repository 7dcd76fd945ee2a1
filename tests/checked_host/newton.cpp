/// Tests solver `newton` with cycles and conjugate gradients on the checked host backend: the CPU's
/// bits with every launcher, and faults.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/device/device_error.hpp"
#include "tests/checked_host/both_backends.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/joined_problems.hpp"
#include "tests/support/lattice_problem.hpp"
#include "tests/support/scenario_list.hpp"

namespace nodia {
namespace {

using test::lattice_problem;
using test::LatticeOptions;
using testing::HasSubstr;

/// Soft bodies that touch obstacles and each other, with rigid bodies, robots, slaves and masters.
std::vector<LatticeOptions> kinds() {
  return {{.seed = 1, .blocks = {{7, 6, 5}}},
          {.seed = 2, .blocks = {{5, 5, 3}, {5, 5, 4}}, .friction = 1.5},
          {.seed = 3, .blocks = {{12, 11, 2}}, .n_rigid = 2},
          {.seed = 4, .blocks = {{6, 5, 3}, {5, 5, 3}}, .n_rigid = 1, .n_robot_row = 3},
          {.seed = 5, .blocks = {{11, 10, 9}}},
          {.seed = 6, .blocks = {{6, 6, 6}}, .contacts = false}};
}

/// Solvers on both backends that receive the same problems.
class BothSolvers {
 public:
  explicit BothSolvers(std::optional<LoopLauncher> loop = {}, int threads = 1) {
    options_.solver = "newton";
    options_.tolerance = 1e-5;
    options_.execution.threads = threads;
    options_.execution.loop = loop;
    cpu = make(Backend::cpu);
    device = make(Backend::cuda);
  }
  std::unique_ptr<ContactSolver> make(Backend backend) const {
    SolverOptions own = options_;
    own.execution.backend = backend;
    return make_solver(own);
  }
  void expect_same(const ContactProblem& problem, const WarmStart& warm = {}) {
    cpu->solve(problem, warm, &on_cpu);
    device->solve(problem, warm, &on_device);
    EXPECT_EQ(test::count_different(on_cpu.v, on_device.v), 0);
    EXPECT_EQ(test::count_different(on_cpu.lambda, on_device.lambda), 0);
    for (std::size_t e = 0; e < on_cpu.env.size(); ++e) {
      const SolveReport &a = on_cpu.env[e], &b = on_device.env[e];
      EXPECT_EQ(a.status, SolveStatus::converged) << a.reason;
      EXPECT_EQ(a.status, b.status) << b.reason;
      EXPECT_EQ(a.iterations, b.iterations);
      EXPECT_EQ(a.error_estimate, b.error_estimate);
      EXPECT_EQ(a.work_units, b.work_units);
      EXPECT_EQ(cpu->state(static_cast<int>(e)), device->state(static_cast<int>(e)));
    }
  }
  /// Compares three steps of moving bodies, so that a hierarchy is reused and rebuilt.
  void expect_same_steps(ContactProblem problem) {
    expect_same(problem);
    for (const double more : {1.05, -1.5}) {
      for (Vec3d& b : problem.b) b = more * b;
      expect_same(problem, {on_cpu.v, on_cpu.lambda});
    }
  }

  std::unique_ptr<ContactSolver> cpu, device;
  Solution on_cpu, on_device;

 private:
  SolverOptions options_;
};

TEST(DeviceNewton, HasTheCpusBits) {
  for (const LatticeOptions& kind : kinds()) {
    SCOPED_TRACE(kind.seed);
    const std::int64_t n_copy = checked_host().n_copy;
    BothSolvers().expect_same_steps(lattice_problem(kind));
    EXPECT_GT(checked_host().n_copy, n_copy);
  }
}

TEST(DeviceNewton, OfABatchHasTheCpusBitsInSeveralThreads) {
  std::vector<ContactProblem> parts;
  for (const LatticeOptions& kind : kinds())
    if (kind.n_rigid == 0) parts.push_back(lattice_problem(kind));
  BothSolvers(std::nullopt, 3).expect_same_steps(test::joined(parts));
}

TEST(DeviceNewton, WithCablesIsTheCpus) {
  const std::int64_t n_copy = checked_host().n_copy;
  BothSolvers().expect_same_steps(lattice_problem({.blocks = {{5, 5, 4}}, .n_link = 8}));
  EXPECT_EQ(checked_host().n_copy, n_copy);
}

TEST(DeviceNewton, GoesOnFromTheMemoryOfTheOtherBackend) {
  const ContactProblem problem = lattice_problem(kinds()[1]);
  BothSolvers first, second;
  first.expect_same(problem);
  second.cpu->set_state(0, first.device->state(0));
  second.device->set_state(0, first.cpu->state(0));
  const WarmStart warm{first.on_cpu.v, first.on_cpu.lambda};
  second.expect_same(problem, warm);
  first.expect_same(problem, warm);
  EXPECT_EQ(test::count_different(first.on_cpu.v, second.on_cpu.v), 0);
}

TEST(DeviceNewton, IsRecordedOnceForATopology) {
  const std::size_t before = checked_host().recordings.size();
  BothSolvers both;
  ContactProblem problem = lattice_problem(kinds()[1]);
  both.expect_same_steps(problem);
  EXPECT_EQ(checked_host().recordings.size(), before + 1);
  both.expect_same(lattice_problem(kinds()[0]));
  EXPECT_EQ(checked_host().recordings.size(), before + 2);
}

/// A Newton step copies the start and the result of conjugate gradients and smoothing, and changed
/// blocks of contacts. It smooths once at the start and at most twice in a row.
TEST(DeviceNewton, SendsWhatChangesAlone) {
  const ContactProblem problem = lattice_problem(kinds()[4]);
  BothSolvers both;
  both.expect_same(problem);
  const WarmStart warm{both.on_cpu.v, both.on_cpu.lambda};
  const std::int64_t up = checked_host().bytes_up, down = checked_host().bytes_down;
  both.expect_same(problem, warm);
  const std::int64_t n_step = both.on_device.env[0].iterations + 1;
  const auto n_row = static_cast<std::int64_t>(problem.b.size());
  const auto matrix = static_cast<std::int64_t>(sizeof(double) * problem.A.value.size());
  const auto n_contact = static_cast<std::int64_t>(problem.contacts.size());
  constexpr std::int64_t kBlock = 76, kOther = 4096;
  const std::int64_t smoothing = 2 * (48 * n_row + 24 * n_contact);
  EXPECT_LE(checked_host().bytes_up - up,
            matrix + 104 * n_row + 224 * n_contact +
                n_step * (24 * n_row + smoothing + kBlock * n_contact + kOther));
  EXPECT_LE(checked_host().bytes_down - down, n_step * (24 * n_row + smoothing + kOther));
}

TEST(DeviceNewton, HasNoRace) {
  for (const int kind : {1, 3}) {
    SCOPED_TRACE(kind);
    RaceDetector detector({.seed = 3});
    checked_host().detector = &detector;
    BothSolvers().expect_same(lattice_problem(kinds()[static_cast<std::size_t>(kind)]));
    checked_host().detector = nullptr;
    EXPECT_TRUE(detector.conflicts().empty());
  }
}

class DeviceNewtonBy : public testing::TestWithParam<LoopLauncher> {
 protected:
  void TearDown() override {
    checked_host().dropped_kernel.clear();
    checked_host().faulty_kernel.clear();
    checked_host().last_allocation = -1;
  }
  std::string error_on_device() {
    try {
      both_.device->solve(problem_, {}, &both_.on_device);
    } catch (const DeviceError& error) {
      return error.what();
    }
    return "no error";
  }
  /// Compares a solve without an initial guess.
  void expect_cpu_bits() { both_.expect_same(problem_); }

  const ContactProblem problem_ = lattice_problem(
      {.seed = 4, .blocks = {{4, 4, 3}, {4, 3, 3}}, .n_rigid = 1, .n_robot_row = 3});
  BothSolvers both_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceNewtonBy,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches,
                                         LoopLauncher::checked),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceNewtonBy, HasTheCpusBits) {
  const std::int64_t n_on_null_stream = checked_host().n_on_null_stream;
  if (GetParam() == LoopLauncher::checked)
    both_.expect_same(problem_);  // the checked launcher checks every kernel, which takes time
  else
    both_.expect_same_steps(problem_);
  EXPECT_EQ(checked_host().n_on_null_stream, n_on_null_stream);
}

TEST_P(DeviceNewtonBy, EndlessLoopIsLeftAndToldInWords) {
  checked_host().dropped_kernel = "end_step";
  EXPECT_THAT(error_on_device(),
              HasSubstr("the device has not decided after 5 steps (at most 1 were asked for)"));
  checked_host().dropped_kernel.clear();
  expect_cpu_bits();
}

TEST_P(DeviceNewtonBy, AStepWithoutADecisionHasNoAnswer) {
  checked_host().dropped_kernel = "choose_step";
  EXPECT_THAT(error_on_device(), HasSubstr("without a decision"));
  checked_host().dropped_kernel.clear();
  expect_cpu_bits();
}

TEST_P(DeviceNewtonBy, FaultIsToldWithItsKernelOrHowToLearnIt) {
  for (const char* kernel :
       {"invert_groups", "start_gradients", "restrict_residual", "take_step"}) {
    SCOPED_TRACE(kernel);
    both_ = BothSolvers(GetParam());
    checked_host().faulty_kernel = kernel;
    const std::string error = error_on_device();
    EXPECT_THAT(error, HasSubstr("illegal memory access"));
    if (GetParam() == LoopLauncher::checked) {
      EXPECT_THAT(error, testing::StartsWith(kernel));
      EXPECT_THAT(error, testing::Not(HasSubstr("--loop")));
    } else {
      EXPECT_THAT(error, testing::StartsWith("conjugate gradients"));
      EXPECT_THAT(error, HasSubstr("run again with --loop checked"));
    }
  }
  checked_host().faulty_kernel.clear();
  expect_cpu_bits();
}

TEST_P(DeviceNewtonBy, FaultOfSmoothingIsTold) {
  const ContactProblem single = lattice_problem(kinds()[0]);
  checked_host().faulty_kernel = "solve_single_contacts";
  try {
    both_.device->solve(single, {}, &both_.on_device);
    ADD_FAILURE() << "no error";
  } catch (const DeviceError& error) {
    const bool is_checked = GetParam() == LoopLauncher::checked;
    EXPECT_THAT(error.what(), testing::StartsWith(is_checked ? "solve_single" : "smoothing: "));
  }
  checked_host().faulty_kernel.clear();
  both_.expect_same(single);
}

class DeviceNewtonRoomBy : public DeviceNewtonBy {};

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceNewtonRoomBy,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceNewtonRoomBy, NoRoomIsToldAndLeavesNothingHalfDone) {
  for (int k = 0;; k += 7) {
    SCOPED_TRACE(k);
    both_ = BothSolvers(GetParam());
    checked_host().last_allocation = checked_host().n_allocation + k;
    const std::string error = error_on_device();
    checked_host().last_allocation = -1;
    if (error == "no error") {
      EXPECT_GT(k, 40);
      return;
    }
    EXPECT_THAT(error, HasSubstr(" GB asked for, 0.000 GB free"));
    if (k % 4 == 0) expect_cpu_bits();
  }
}

/// Compares steps of scenes with `auto`, whose choice does not depend on the backend.
void expect_same_steps(const std::string& file, int n_step, std::vector<std::string> overrides) {
  overrides.insert(overrides.begin(), {"solver.solver=auto", "solver.max_iterations=2000"});
  test::BothBackends pair(test::ScenarioBatch(file, Precision::double_, std::move(overrides)));
  const std::int64_t n_copy = checked_host().n_copy;
  pair.step(n_step);
  EXPECT_GT(checked_host().n_copy, n_copy);
  EXPECT_GT(pair.most_contacts, 10);
}

constexpr const char* kSoftMat = "scenarios/soft_mat/soft_mat.yaml";
const std::string kMatOf200Nodes = "bodies.mat.mesh={mat: {size_m: [0.3, 0.3, 0.006], nodes: 200}}";

TEST(DeviceNewtonSteps, OfMatsHaveTheCpusBits) {
  expect_same_steps(kSoftMat, 20, {kMatOf200Nodes, "environments=3"});
}

TEST(DeviceNewtonSteps, OfABallOnAMatHaveTheCpusBits) {
  expect_same_steps(
      kSoftMat, 30,
      {kMatOf200Nodes,
       "bodies.ball={mesh: {ball: {radius_m: 0.03, nodes: 60}}, position_m: [0.15, 0.15, 0.04], "
       "youngs_modulus_Pa: 1e5, poissons_ratio: 0.35, density_kg_m3: 1000, friction: 0.5}"});
}

TEST(DeviceNewtonSteps, OfABlockInAGripperHaveTheCpusBits) {
  expect_same_steps("scenarios/grip_creep/grip_creep.yaml", 10, {});
}

class DeviceNewtonScenario : public testing::TestWithParam<std::string> {};

/// More steps are compared in tests/scenarios/device_scenarios.cpp.
TEST_P(DeviceNewtonScenario, UsesTheDeviceIfTheSceneHasAFormThere) {
  const test::ScenarioBatch batch(GetParam(), Precision::double_,
                                  {"solver.solver=auto", "solver.max_iterations=2000"});
  const Scene& scene = batch.batch.environments.front().scene;
  const bool has_form = !scene.soft_bodies.empty() && scene.cables.empty();
  test::BothBackends pair(batch);
  const std::int64_t n_copy = checked_host().n_copy;
  pair.step(2);
  EXPECT_EQ(checked_host().n_copy > n_copy, has_form);
}

INSTANTIATE_TEST_SUITE_P(Scenarios, DeviceNewtonScenario, testing::ValuesIn(test::scenario_files()),
                         [](const auto& one) { return test::scenario_name(one.param); });

}  // namespace
}  // namespace nodia
