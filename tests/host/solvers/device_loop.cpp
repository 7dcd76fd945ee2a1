/// COND on the device against COND on the CPU; skipped where there is no device.
#include <gtest/gtest.h>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "tests/support/loop_cases.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, norm(a[i] - b[i]));
    scale = std::max(scale, norm(a[i]));
  }
  return scale > 0 ? largest / scale : largest;
}

class DeviceLoop : public testing::TestWithParam<Precision> {};

TEST_P(DeviceLoop, AgreesWithTheCpuAfterTheSameIterations) {
  std::string reason;
  if (!device_available(&reason)) GTEST_SKIP() << reason;
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
    options.of<CondOptions>().precision = GetParam();
    Solution cpu, device;
    const auto on_cpu = make_solver(options);
    options.of<CondOptions>().backend = Backend::cuda;
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
      const double bound = GetParam() == Precision::float_ ? 1e-5 : 1e-9;
      EXPECT_LE(largest_difference(cpu.v, device.v), bound);
      EXPECT_LE(largest_difference(cpu.lambda, device.lambda), bound);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Precisions, DeviceLoop,
                         testing::Values(Precision::double_, Precision::mixed, Precision::float_),
                         [](const auto& one) { return std::string(name_of(one.param)); });

/// Every kernel and decision of the loop, and what is left of one solve for the next.
class DeviceLoopCase : public testing::TestWithParam<test::LoopCase> {};

TEST_P(DeviceLoopCase, HasTheCpusBitsInSolveAfterSolve) {
  std::string reason;
  if (!device_available(&reason)) GTEST_SKIP() << reason;
  const ContactProblem p = random_problem(GetParam().problem);
  for (const Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
    SolverOptions options = GetParam().solver;
    options.of<CondOptions>().precision = precision;
    options.threads = 1;
    const auto on_cpu = make_solver(options);
    options.of<CondOptions>().backend = Backend::cuda;
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

INSTANTIATE_TEST_SUITE_P(Cases, DeviceLoopCase, testing::ValuesIn(test::loop_cases()),
                         [](const auto& one) { return one.param.name; });

TEST(DeviceLoopWithoutDevice, FailsInWords) {
  std::string reason;
  if (device_available(&reason)) GTEST_SKIP() << "this machine has a CUDA device";
  SolverOptions options;
  options.of<CondOptions>().backend = Backend::cuda;
  const auto solver = make_solver(options);
  Solution solution;
  EXPECT_THROW(solver->solve(random_problem({}), {}, &solution), RuntimeError);
}

}  // namespace
}  // namespace nodia
