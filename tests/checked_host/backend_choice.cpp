/// Tests what `--backend auto` chooses on the checked host backend under the name of a measured
/// device.
#include <gtest/gtest.h>

#include "host/backend/backend.hpp"
#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/scenes.hpp"

namespace nodia {
namespace {

constexpr MeasuredDevice kRow = kMeasuredDevices[0];

class DeviceBackendChoice : public testing::Test {
 protected:
  DeviceBackendChoice() {
    options_.solver = kRow.solver;
    checked_host().name = kRow.device;
  }
  ~DeviceBackendChoice() override { checked_host().name = before_; }

  /// Number of environments of the mat that have at least the measured size.
  int n_env() const { return static_cast<int>(kRow.n_row / workload_of(mat_, 1).n_row) + 1; }

  const std::string before_ = checked_host().name;
  const Scene mat_ = test::mat_on_rising_ball(1e5, 100, 0.01, 1);
  SolverOptions options_;
};

TEST_F(DeviceBackendChoice, TakesTheDeviceFromTheMeasuredSizeOn) {
  const ResolvedBackend large = BackendRequest{}.resolve(mat_, n_env(), &options_);
  EXPECT_EQ(large.backend, Backend::cuda);
  EXPECT_EQ(options_.execution.backend, Backend::cuda);
  EXPECT_TRUE(large.had_a_choice);
  EXPECT_EQ(large.in_words(), "backend auto: cuda: " + large.because);

  const ResolvedBackend small = BackendRequest{}.resolve(mat_, n_env() - 2, &options_);
  EXPECT_EQ(small.backend, Backend::cpu);
  EXPECT_EQ(options_.execution.backend, Backend::cpu);
  EXPECT_EQ(small.in_words(), "backend auto: cpu: " + small.because);
}

TEST_F(DeviceBackendChoice, UsesTheLauncherOfTheRequest) {
  BackendRequest request;
  request.device.loop = "checked";
  request.device.device = 0;
  EXPECT_EQ(request.resolve(mat_, n_env(), &options_).backend, Backend::cuda);
  EXPECT_EQ(options_.execution.loop, LoopLauncher::checked);
  EXPECT_EQ(options_.execution.device, 0);
}

TEST_F(DeviceBackendChoice, TakesTheCpuOnADeviceWithoutMeasurement) {
  checked_host().name = "NVIDIA A100";
  const ResolvedBackend resolved = BackendRequest{}.resolve(mat_, n_env(), &options_);
  EXPECT_EQ(resolved.backend, Backend::cpu);
  EXPECT_EQ(resolved.because, "docs/gpu.md has no measurement of cond on NVIDIA A100");
  EXPECT_TRUE(resolved.had_a_choice);
}

}  // namespace
}  // namespace nodia
