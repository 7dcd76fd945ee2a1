/// Tests the host's reaction to failures of the checked host backend.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <optional>
#include <regex>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/execution.hpp"
#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/vfpi/control.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"

namespace nodia {
namespace {

using test::error_of;
using testing::HasSubstr;

class DeviceFault : public testing::Test {
 protected:
  void SetUp() override {
    options_.solver = "cond";
    begin_anew({});
  }
  void TearDown() override {
    checked_host().unrecorded_kernel.clear();
    checked_host().dropped_kernel.clear();
    checked_host().faulty_kernel.clear();
    checked_host().last_allocation = -1;
    checked_host().records_loops = true;
  }

  void begin_anew(std::optional<LoopLauncher> launcher) {
    options_.execution.loop = launcher;
    options_.execution.backend = Backend::cuda;
    on_device_ = make_solver(options_);
    options_.execution.backend = Backend::cpu;
    on_cpu_ = make_solver(options_);
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
  checked_host().unrecorded_kernel = "test_decision";
  EXPECT_THAT(error_of([&] { solve_on_device(); }), HasSubstr("test_decision"));
  checked_host().unrecorded_kernel.clear();
  expect_cpu_bits();
}

TEST_F(DeviceFault, RecordingIsUsedAgain) {
  expect_cpu_bits();
  expect_cpu_bits();  // a warm power iteration needs fewer kernels
  const std::size_t n_recording = checked_host().recordings.size();
  expect_cpu_bits();
  EXPECT_EQ(checked_host().recordings.size(), n_recording);
}

class DeviceFaultBy : public DeviceFault, public testing::WithParamInterface<LoopLauncher> {
 protected:
  void SetUp() override {
    DeviceFault::SetUp();
    options_.max_iterations = 200;
    begin_anew(GetParam());
  }
};

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceFaultBy,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches,
                                         LoopLauncher::checked),
                         [](const auto& one) { return name_of(one.param); });

TEST_P(DeviceFaultBy, EndlessLoopIsLeftAndToldInWords) {
  checked_host().dropped_kernel = "test_decision";
  const std::string error = error_of([&] { solve_on_device(); });
  EXPECT_THAT(error, HasSubstr("max_iterations = 200"));
  std::smatch n_test;
  ASSERT_TRUE(std::regex_search(error, n_test, std::regex("has not decided after ([0-9]+) tests")))
      << error;
  const int needed = options_.max_iterations / options_.check_every;
  EXPECT_GE(std::stoi(n_test[1]), needed);
  EXPECT_LE(std::stoi(n_test[1]), needed + 20);
  checked_host().dropped_kernel.clear();
  expect_cpu_bits();
}

TEST_P(DeviceFaultBy, FaultIsToldWithItsKernelOrHowToLearnIt) {
  for (const char* kernel : {"fill_matrix", "measure_errors"}) {  // one before and one in the loop
    SCOPED_TRACE(kernel);
    checked_host().faulty_kernel = kernel;
    const std::string error = error_of([&] { solve_on_device(); });
    EXPECT_THAT(error, HasSubstr("illegal memory access"));
    if (GetParam() == LoopLauncher::checked) {
      EXPECT_THAT(error, testing::StartsWith(kernel));
      EXPECT_THAT(error, testing::Not(HasSubstr("--loop")));
    } else {
      EXPECT_THAT(error, testing::StartsWith("V-FPI loop"));
      EXPECT_THAT(error, HasSubstr("run again with --loop checked"));
    }
    checked_host().faulty_kernel.clear();
    begin_anew(GetParam());
    expect_cpu_bits();
  }
}

/// The launch of another kernel may report the fault first.
TEST_F(DeviceFault, AFaultIsToldByTheNextLaunchAndByTheWaitAlike) {
  fail_on_checked_host("a fault");
  EXPECT_EQ(error_of([] { report_fault_on_checked_host("the next kernel"); }),
            "the next kernel: a fault");
  EXPECT_THAT(error_of([&] { solve_on_device(); }), testing::StartsWith("V-FPI loop: a fault"));
  expect_cpu_bits();
}

class DeviceRoomBy : public DeviceFaultBy {};

INSTANTIATE_TEST_SUITE_P(Launchers, DeviceRoomBy,
                         testing::Values(LoopLauncher::graph, LoopLauncher::launches),
                         [](const auto& one) { return name_of(one.param); });

/// Fails at every allocation of a solve, for the first problem and for a larger one.
TEST_P(DeviceRoomBy, NoRoomIsToldAndLeavesNothingHalfDone) {
  const ContactProblem more =
      random_problem({.seed = 2, .n_env = 3, .n_node = 40, .n_world_contact = 90});
  const auto failures = [&](bool after_another) {
    for (int k = 0;; ++k) {
      SCOPED_TRACE(k);
      begin_anew(GetParam());
      if (after_another) solve_on_device();
      checked_host().last_allocation = checked_host().n_allocation + k;
      Solution device, cpu;
      const std::string error = error_of([&] { on_device_->solve(more, {}, &device); });
      checked_host().last_allocation = -1;
      if (error == "no error") return k;
      EXPECT_THAT(error, HasSubstr(" GB asked for, 0.000 GB free"));
      on_device_->solve(more, {}, &device);
      on_cpu_->solve(more, {}, &cpu);
      EXPECT_EQ(test::count_different(cpu.v, device.v), 0);
      EXPECT_EQ(test::count_different(cpu.lambda, device.lambda), 0);
    }
  };
  options_.max_iterations = 24;
  EXPECT_GT(failures(false), 20);
  EXPECT_GT(failures(true), 3);
}

TEST_P(DeviceFaultBy, AllWorkIsInTheSolversOwnStream) {
  const std::int64_t n_on_null_stream = checked_host().n_on_null_stream;
  for (int solve = 0; solve < 3; ++solve) {
    solve_on_device();
    on_device_->state(0);
  }
  EXPECT_EQ(checked_host().n_on_null_stream, n_on_null_stream);
}

TEST_F(DeviceFault, ADriverThatRecordsNoLoopsGetsLaunches) {
  checked_host().records_loops = false;
  const std::size_t n_recording = checked_host().recordings.size();
  expect_cpu_bits();
  EXPECT_EQ(checked_host().recordings.size(), n_recording);
  begin_anew(LoopLauncher::graph);
  EXPECT_THAT(error_of([&] { solve_on_device(); }),
              HasSubstr("loop graph: the checked host backend records no loops"));
  const ResolvedLoopLauncher resolved = resolve({});
  EXPECT_EQ(resolved.launcher, LoopLauncher::launches);
  EXPECT_EQ(resolved.because, "the checked host backend records no loops");
}

TEST_F(DeviceFault, LoopThatDidNothingHasNoAnswer) {
  checked_host().dropped_kernel = "update_queue";
  EXPECT_THAT(error_of([&] { solve_on_device(); }), HasSubstr("without a decision"));
  checked_host().dropped_kernel.clear();
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

TEST(DeviceMemory, SizesThatCreepUpSeldomAllocate) {
  const std::int64_t n_allocation = checked_host().n_allocation;
  DeviceBuffer<std::int32_t> buffer;
  for (std::size_t n = 100; n <= 1000; ++n) {
    buffer.resize(n);
    ASSERT_EQ(buffer.size(), n);
    EXPECT_EQ(buffer.download(), std::vector<std::int32_t>(n, 0));
  }
  EXPECT_LE(checked_host().n_allocation - n_allocation, 7);
}

TEST(DeviceMemory, WithoutRoomABufferKeepsWhatItHad) {
  DeviceBuffer<std::int32_t> buffer(std::vector<std::int32_t>{1, 2, 3});
  checked_host().last_allocation = checked_host().n_allocation;
  EXPECT_EQ(error_of([&] { buffer.resize(1000000); }),
            "device memory: 0.004 GB asked for, 0.000 GB free (take a smaller mesh or batch, "
            "another --device, or the CPU)");
  checked_host().last_allocation = -1;
  EXPECT_EQ(buffer.download(), (std::vector<std::int32_t>{1, 2, 3}));
}

TEST(DeviceMemory, WhereHalfAsMuchMoreHasNoRoomTheSizeItselfIsTaken) {
  DeviceBuffer<std::int32_t> buffer(std::vector<std::int32_t>(100, 7));
  checked_host().largest_allocation = 120 * sizeof(std::int32_t);
  buffer.resize(110);
  EXPECT_EQ(buffer.download(), std::vector<std::int32_t>(110, 0));
  const std::int32_t* const kept = buffer.data();
  buffer.resize(120);
  EXPECT_NE(buffer.data(), kept);
  EXPECT_EQ(buffer.size(), 120U);
  buffer.upload(std::vector<std::int32_t>(120, 5));
  EXPECT_THAT(error_of([&] { buffer.resize(121); }), HasSubstr("device memory: "));
  checked_host().largest_allocation = kCheckedHostMemoryBytes;
  EXPECT_EQ(buffer.download(), std::vector<std::int32_t>(120, 5));
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
  std::memset(a.data() + 4, kCheckedHostPoison, sizeof(double));
  double* const freed = a.data();
  a = {};
  freed[0] = 1;
  EXPECT_THAT(error_of([] { synchronize_device("here"); }), HasSubstr("to freed memory"));
  std::memset(freed, kCheckedHostPoison, sizeof(double));
  EXPECT_EQ(error_of([] { synchronize_device("here"); }), "no error");
}

}  // namespace
}  // namespace nodia
