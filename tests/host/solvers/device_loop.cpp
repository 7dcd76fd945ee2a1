/// COND on the device, by each launcher of its loop, against COND on the CPU; skipped where there
/// is no device. Names end in the launcher: tools that cannot look into graphs leave those out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tests/support/largest_difference.hpp"
#include "tests/support/loop_cases.hpp"
#include "tests/support/missing_gpu.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

class DeviceLoop : public testing::TestWithParam<std::tuple<Precision, LoopLauncher>> {};

TEST_P(DeviceLoop, AgreesWithTheCpuAfterTheSameIterations) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const auto [precision, launcher] = GetParam();
  for (const RandomProblemOptions& shape :
       {RandomProblemOptions{.seed = 1,
       .n_env = 7,
       .n_node = 300,
       .n_world_contact = 90,
       .n_pair_contact = 0,
       .distinct_nodes = true},
        RandomProblemOptions{
            .seed = 2, .n_env = 3, .n_node = 40, .n_world_contact = 30, .n_pair_contact = 9},
        RandomProblemOptions{.seed = 3, .anisotropic = true}}) {
    const ContactProblem p = random_problem(shape);
    SolverOptions options;
    options.solver = "cond";
    options.execution.precision = precision;
    options.execution.loop = launcher;
    Solution cpu, device;
    const auto on_cpu = make_solver(options);
    options.execution.backend = Backend::cuda;
    const auto on_device = make_solver(options);
    for (int repeat = 0; repeat < 3; ++repeat) {  // the recorded graph and W are used again
      on_cpu->solve(p, {}, &cpu);
      on_device->solve(p, {}, &device);
      for (int e = 0; e < p.n_env(); ++e) {
        EXPECT_EQ(device.env[e].status, cpu.env[e].status);
        EXPECT_EQ(device.env[e].iterations, cpu.env[e].iterations);
        EXPECT_GT(device.env[e].loop_s, 0);
        EXPECT_LE(device.env[e].before_loop_s + device.env[e].loop_s, device.env[e].time_s);
      }
      const double bound = precision == Precision::float_ ? 1e-5 : 1e-9;
      EXPECT_LE(test::largest_difference(cpu.v, device.v), bound);
      EXPECT_LE(test::largest_difference(cpu.lambda, device.lambda), bound);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Precisions, DeviceLoop,
    testing::Combine(testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                     testing::Values(LoopLauncher::graph, LoopLauncher::launches)),
    [](const auto& one) {
      return std::string(name_of(std::get<0>(one.param))) + "_" + name_of(std::get<1>(one.param));
    });

/// Every kernel and decision of the loop, and what is left of one solve for the next.
class DeviceLoopCase : public testing::TestWithParam<std::tuple<test::LoopCase, LoopLauncher>> {};

TEST_P(DeviceLoopCase, HasTheCpusBitsInSolveAfterSolve) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const auto& [loop_case, launcher] = GetParam();
  const ContactProblem p = random_problem(loop_case.problem);
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    SolverOptions options = loop_case.solver;
    options.execution.precision = precision;
    options.execution.loop = launcher;
    options.execution.threads = 1;
    const auto on_cpu = make_solver(options);
    options.execution.backend = Backend::cuda;
    const auto on_device = make_solver(options);
    WarmStart warm;
    for (int solve = 0; solve < 3; ++solve) {
      SCOPED_TRACE(testing::Message() << name_of(precision) << ", solve " << solve);
      Solution cpu, device;
      on_cpu->solve(p, warm, &cpu);
      on_device->solve(p, warm, &device);
      EXPECT_EQ(test::count_different(cpu.v, device.v), 0);
      EXPECT_EQ(test::count_different(cpu.lambda, device.lambda), 0);
      for (int e = 0; e < p.n_env(); ++e) {
        EXPECT_EQ(cpu.env[e].status, device.env[e].status);
        EXPECT_EQ(cpu.env[e].iterations, device.env[e].iterations);
        EXPECT_EQ(cpu.env[e].restarts, device.env[e].restarts);
        EXPECT_EQ(cpu.env[e].lambda_max_WA, device.env[e].lambda_max_WA);
      }
      warm = {cpu.v, cpu.lambda};
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, DeviceLoopCase,
                         testing::Combine(testing::ValuesIn(test::loop_cases()),
                                          testing::Values(LoopLauncher::graph,
                                                          LoopLauncher::launches)),
                         [](const auto& one) {
                           return std::get<0>(one.param).name + "_" +
                                  name_of(std::get<1>(one.param));
                         });

/// As where an environment gives its place to another of equal bodies and other densities.
TEST(DeviceLoopOfMasses, ThatChangedHasTheCpusBits) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  ContactProblem p = random_problem({.seed = 5, .n_env = 2, .n_node = 40});
  SolverOptions options;
  options.solver = "cond";
  const auto on_cpu = make_solver(options);
  options.execution.backend = Backend::cuda;
  const auto on_device = make_solver(options);
  for (const int node : {-1, 7, 61, -1}) {
    if (node >= 0) p.mass[static_cast<std::size_t>(node)] *= 0.01;
    Solution cpu, device;
    on_cpu->solve(p, {}, &cpu);
    on_device->solve(p, {}, &device);
    EXPECT_EQ(test::count_different(cpu.v, device.v), 0);
    for (int e = 0; e < p.n_env(); ++e) EXPECT_EQ(cpu.env[e].iterations, device.env[e].iterations);
  }
}

class DeviceLoopThreads : public testing::TestWithParam<LoopLauncher> {};

/// Each records, runs and sizes memory while the other does.
TEST_P(DeviceLoopThreads, TwoSolversInTwoThreadsHaveTheBitsOfOne) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr int kSolves = 8;
  // Contacts come and go: other kernels and other sizes from solve to solve.
  const auto problem = [](int thread, int solve) {
    return random_problem({.seed = static_cast<unsigned>(1 + thread),
                           .n_env = 2 + thread,
                           .n_node = 40,
                           .n_world_contact = 5 + 7 * (solve % 4),
                           .n_pair_contact = solve % 3});
  };
  const auto solver = [](Backend backend) {
    SolverOptions options;
    options.solver = "cond";
    options.max_iterations = 60;
    options.execution.threads = 1;
    options.execution.backend = backend;
    options.execution.loop = GetParam();
    return make_solver(options);
  };
  const auto solve_all = [&](int thread, Backend backend, std::vector<Solution>* all) {
    const auto one = solver(backend);
    for (int solve = 0; solve < kSolves; ++solve)
      one->solve(problem(thread, solve), {}, &all->emplace_back());
  };
  std::array<std::vector<Solution>, 2> device, cpu;
  std::array<std::string, 2> error;
  {
    std::array<std::jthread, 2> threads;
    for (int t = 0; t < 2; ++t)
      threads[t] = std::jthread([&, t] {
        try {
          solve_all(t, Backend::cuda, &device[t]);
        } catch (const std::exception& thrown) {
          error[t] = thrown.what();
        }
      });
  }
  for (int t = 0; t < 2; ++t) ASSERT_EQ(error[t], "") << "thread " << t;
  for (int t = 0; t < 2; ++t) {
    solve_all(t, Backend::cpu, &cpu[t]);
    for (int solve = 0; solve < kSolves; ++solve) {
      SCOPED_TRACE(testing::Message() << "thread " << t << ", solve " << solve);
      EXPECT_EQ(test::count_different(cpu[t][solve].v, device[t][solve].v), 0);
      EXPECT_EQ(test::count_different(cpu[t][solve].lambda, device[t][solve].lambda), 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceLoopThreads,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches,
                                         LoopLauncher::checked),
                         [](const auto& one) { return name_of(one.param); });

TEST(DeviceLoopOf, AnUnknownDeviceIsRefusedWithTheNumberThereAre) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  for (const int number : {-1, device_count()}) {
    SolverOptions options;
    options.solver = "cond";
    options.execution.backend = Backend::cuda;
    options.execution.device = number;
    Solution solution;
    try {
      make_solver(options)->solve(random_problem({}), {}, &solution);
      ADD_FAILURE() << "no error";
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), testing::StartsWith("device = " + std::to_string(number)));
    }
  }
}

TEST(DeviceLoopOf, AProblemIsSolvedOrThrowsWithoutADevice) {
  SolverOptions options;
  options.execution.backend = Backend::cuda;
  const auto solver = make_solver(options);
  Solution solution;
  const auto solve = [&] { solver->solve(random_problem({}), {}, &solution); };
  std::string reason;
  if (device_available(&reason))
    EXPECT_NO_THROW(solve());
  else
    EXPECT_THROW(solve(), RuntimeError);
}

}  // namespace
}  // namespace nodia
