/// The device API where a device may be missing: it must say so in words and never crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/missing_gpu.hpp"

namespace nodia {
namespace {

using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Device, AvailabilityAgreesWithTheCount) {
  std::string reason;
  const bool available = device_available(&reason);
  EXPECT_EQ(available, device_count() > 0);
  EXPECT_EQ(available, reason.empty()) << reason;
  EXPECT_EQ(available, device_available(nullptr));
}

TEST(Device, EveryDeviceIsDescribed) {
  for (int i = 0; i < device_count(); ++i) {
    const DeviceDescription description = describe_device(i);
    EXPECT_FALSE(description.name.empty());
    EXPECT_GE(description.compute_major, 8);
    EXPECT_GT(description.n_multiprocessor, 0);
    EXPECT_GT(description.memory_bytes, 0U);
  }
}

TEST(Device, UnknownDeviceIsBadInput) {
  EXPECT_THROW(describe_device(-1), InputError);
  EXPECT_THROW(describe_device(device_count()), InputError);
}

TEST(Device, AScopeEndsWithTheDeviceBefore) {
  std::string reason;
  if (!device_available(&reason)) {
    EXPECT_EQ(error_of([] { const DeviceScope scope(0); }), reason);
    return;
  }
  const DeviceBuffer<int> in_use(1);
  const int before = current_device();
  {
    const DeviceScope last(device_count() - 1);
    EXPECT_EQ(current_device(), device_count() - 1);
    {
      const DeviceScope first(0);
      EXPECT_EQ(current_device(), 0);
    }
    EXPECT_EQ(current_device(), device_count() - 1);
  }
  EXPECT_EQ(current_device(), before);
  EXPECT_THROW(DeviceScope{device_count()}, InputError);
  EXPECT_THROW(DeviceScope{-1}, InputError);
}

TEST(Device, AScopeOfAThreadThatWorkedOnNoneLeavesItsOwn) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::thread([] {
    const int last = device_count() - 1;
    { const DeviceScope scope(last); }
    EXPECT_EQ(current_device(), last);
  }).join();
}

TEST(Device, BuffersOfAStreamHoldWhatWasPutThere) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const OwnedStream stream("test");
  DeviceBuffer<double> buffer;
  buffer.resize(3, stream.get());
  EXPECT_EQ(buffer.download(stream.get()), std::vector<double>(3, 0.0));
  const std::vector<double> values{1, 2, 3, 4, 5};
  buffer.assign(values, stream.get());
  EXPECT_EQ(buffer.download(stream.get()), values);
  buffer.renew(4, stream.get());
  EXPECT_EQ(buffer.download(stream.get()), std::vector<double>(4, 0.0));
  buffer.renew(0, stream.get());
  EXPECT_EQ(buffer.data(), nullptr);
}

TEST(Device, PinnedMemoryIsThereAfterTheWait) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  const OwnedStream stream("test");
  const DeviceBuffer<std::int64_t> there(std::vector<std::int64_t>{7});
  PinnedMemory here(sizeof(std::int64_t));
  here.fetch(there.data(), sizeof(std::int64_t), stream.get());
  synchronize_device("test", stream.get());
  EXPECT_EQ(*static_cast<const std::int64_t*>(here.data()), 7);
}

TEST(Device, TooMuchMemoryIsRefusedWithWhatThereIs) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  EXPECT_THAT(error_of([] { device_allocate(std::size_t{1} << 50); }),
              testing::AllOf(StartsWith("device memory: 1125899.907 GB asked for, "),
                             HasSubstr(" GB free")));
  EXPECT_EQ(error_of([] { synchronize_device("afterwards"); }), "no error");
}

TEST(Device, WorksOrItsAbsenceIsNamedInWords) {
  std::string reason;
  if (device_available(&reason)) {
    EXPECT_EQ(error_of([] { synchronize_device("the end of the test"); }), "no error");
    return;
  }
  EXPECT_THAT(reason,
              StartsWith(is_built_with_cuda() ? "no CUDA device: " : "this build lacks CUDA ("));
  EXPECT_THAT(error_of([] { synchronize_device("the end of the test"); }),
              HasSubstr("the end of the test"));
  EXPECT_THROW(DeviceBuffer<double>(3), RuntimeError);
}

TEST(Device, EmptyBufferNeedsNoDevice) {
  DeviceBuffer<double> empty(std::vector<double>{});
  EXPECT_EQ(empty.size(), 0U);
  EXPECT_TRUE(empty.download().empty());
  const DeviceBuffer<double> moved = std::move(empty);
  EXPECT_EQ(moved.data(), nullptr);
}

}  // namespace
}  // namespace nodia
