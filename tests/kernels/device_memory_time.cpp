/// Times of device memory: they grow with the bytes, or the device is absent.
#include <gtest/gtest.h>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/memory_time.hpp"
#include "tests/support/missing_gpu.hpp"

namespace nodia {
namespace {

TEST(DeviceMemoryTime, GrowsWithTheBytes) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  EXPECT_GT(device_read_time_s(kMiB), 0);
  EXPECT_GT(device_read_time_s(1024 * kMiB), 4 * device_read_time_s(128 * kMiB));
  EXPECT_GT(device_copy_time_s(1024 * kMiB), 4 * device_copy_time_s(128 * kMiB));
}

TEST(DeviceMemoryTime, NeedsADevice) {
  if (device_available(nullptr)) return;
  EXPECT_THROW(device_read_time_s(1 << 20), RuntimeError);
  EXPECT_THROW(device_copy_time_s(1 << 20), RuntimeError);
}

}  // namespace
}  // namespace nodia
