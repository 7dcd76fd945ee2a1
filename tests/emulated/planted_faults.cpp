/// What the host does where a device fails: faults planted in the emulated one. Names hold
/// `Device`, as those of all its tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/emulated/emulated_device.hpp"
#include "kernels/vfpi/control.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using testing::HasSubstr;

template <class Call>
std::string error_of(const Call& call) {
  try {
    call();
  } catch (const RuntimeError& error) {
    return error.what();
  }
  return "no error";
}

class DeviceFault : public testing::Test {
 protected:
  void SetUp() override {
    options_.of<CondOptions>().backend = Backend::cuda;
    on_device_ = make_solver(options_);
    options_.of<CondOptions>().backend = Backend::cpu;
    on_cpu_ = make_solver(options_);
  }
  void TearDown() override {
    emulated_device().unrecorded_kernel.clear();
    emulated_device().dropped_kernel.clear();
  }

  Solution solve_on_device() {
    Solution solution;
    on_device_->solve(problem_, {}, &solution);
    return solution;
  }
  void expect_cpu_bits() {
    Solution cpu;
    on_cpu_->solve(problem_, {}, &cpu);
    const Solution device = solve_on_device();
    EXPECT_EQ(test::count_different(cpu.v, device.v), 0);
    EXPECT_EQ(test::count_different(cpu.lambda, device.lambda), 0);
    for (std::size_t e = 0; e < cpu.env.size(); ++e) {
      EXPECT_EQ(cpu.env[e].status, device.env[e].status);
      EXPECT_EQ(cpu.env[e].iterations, device.env[e].iterations);
      EXPECT_EQ(cpu.env[e].lambda_max_WA, device.env[e].lambda_max_WA);
    }
  }

  const ContactProblem problem_ = random_problem({.seed = 2, .n_env = 3, .n_node = 40});
  SolverOptions options_;
  std::unique_ptr<ContactSolver> on_cpu_, on_device_;
};

TEST_F(DeviceFault, FailedRecordingIsMadeAnew) {
  emulated_device().unrecorded_kernel = "test_decision";
  EXPECT_THAT(error_of([&] { solve_on_device(); }), HasSubstr("test_decision"));
  emulated_device().unrecorded_kernel.clear();
  expect_cpu_bits();
}

TEST_F(DeviceFault, RecordingIsUsedAgain) {
  expect_cpu_bits();
  expect_cpu_bits();  // a warm power iteration: fewer kernels
  const std::int64_t n_recording = emulated_device().n_recording;
  expect_cpu_bits();
  EXPECT_EQ(emulated_device().n_recording, n_recording);
}

TEST_F(DeviceFault, EndlessLoopIsLeftAndToldInWords) {
  emulated_device().dropped_kernel = "test_decision";
  const std::int64_t n_body = emulated_device().n_body;
  EXPECT_THAT(error_of([&] { solve_on_device(); }),
              testing::AllOf(HasSubstr("has not decided"), HasSubstr("max_iterations = 2000")));
  const int needed = options_.max_iterations / options_.check_every;
  EXPECT_GE(emulated_device().n_body - n_body, needed);
  EXPECT_LE(emulated_device().n_body - n_body, needed + 20);
  emulated_device().dropped_kernel.clear();
  expect_cpu_bits();
}

TEST_F(DeviceFault, LoopThatDidNothingHasNoAnswer) {
  emulated_device().dropped_kernel = "update_queue";
  EXPECT_THAT(error_of([&] { solve_on_device(); }), HasSubstr("without a decision"));
  emulated_device().dropped_kernel.clear();
  expect_cpu_bits();
}

TEST(DeviceMemory, FreshAndFreedMemoryIsPoisoned) {
  DeviceBuffer<double> fresh(3);
  for (const double value : fresh.download()) EXPECT_TRUE(std::isnan(value));
  fresh.upload(std::vector<double>{1, 2, 3});
  const double* const kept = fresh.data();
  fresh = {};
  EXPECT_TRUE(std::isnan(kept[1]));
  DeviceBuffer<std::int32_t> grown;
  grown.resize(2);
  EXPECT_EQ(grown.download(), (std::vector<std::int32_t>{0, 0}));
}

TEST(DeviceMemory, CopiesStayInsideOneAllocation) {
  DeviceBuffer<double> a(4), b(4);
  std::vector<double> host(8);
  EXPECT_THAT(error_of([&] { copy_to_device(a.data() + 1, host.data(), 4 * sizeof(double)); }),
              HasSubstr("not in device memory"));
  EXPECT_THAT(error_of([&] { copy_to_host(host.data(), host.data() + 4, sizeof(double)); }),
              HasSubstr("not in device memory"));
  EXPECT_THAT(error_of([&] { copy_to_device(a.data(), b.data(), sizeof(double)); }),
              HasSubstr("not in the host's memory"));
  const double* const freed = b.data();
  b = {};
  EXPECT_THAT(error_of([&] { copy_on_device(a.data(), freed, sizeof(double)); }),
              HasSubstr("not in device memory"));
}

TEST(DeviceMemory, WritesThatMissAreFound) {
  DeviceBuffer<double> a(4);
  a.data()[4] = 1;
  EXPECT_THAT(error_of([] { synchronize_device("here"); }),
              HasSubstr("here: written beside an allocation of 32 bytes"));
  std::memset(a.data() + 4, kEmulatedPoison, sizeof(double));
  double* const freed = a.data();
  a = {};
  freed[0] = 1;
  EXPECT_THAT(error_of([] { synchronize_device("here"); }), HasSubstr("to freed memory"));
  std::memset(freed, kEmulatedPoison, sizeof(double));
  EXPECT_EQ(error_of([] { synchronize_device("here"); }), "no error");
}

}  // namespace
}  // namespace nodia
