/// The probes of the device, where there is one, and their words where there is none.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kernels/core/error.hpp"
#include "kernels/device/device.hpp"
#include "kernels/device/probes.hpp"
#include "tests/support/missing_gpu.hpp"

namespace nodia {
namespace {

TEST(DeviceProbes, AreMeasuredOrSkippedWithAReason) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  std::set<std::string> names;
  probe_device([&names](const DeviceProbe& probe) {
    names.insert(probe.name);
    EXPECT_TRUE(probe.unit == "us" || probe.unit == "GB/s" || probe.unit == "count") << probe.name;
    EXPECT_EQ(probe.failed_because, "") << probe.name;
    if (probe.skipped_because.empty())
      EXPECT_GE(probe.value, probe.unit == "count" ? 0 : 1e-9) << probe.name;
    else
      EXPECT_TRUE(std::isnan(probe.value)) << probe.name;
  });
  EXPECT_EQ(names, (std::set<std::string>{"tickets_of_1_block",
                                          "tickets_of_4_blocks",
                                          "tickets_of_single_items",
                                          "tickets_of_1056_blocks",
                                          "tickets_without_acquire",
                                          "tickets_without_release",
                                          "grid_barrier",
                                          "cluster_barrier_4",
                                          "cluster_barrier_8",
                                          "cluster_barrier_16",
                                          "cluster_read",
                                          "concurrent_clusters_8",
                                          "concurrent_clusters_16",
                                          "graph_node",
                                          "graph_node_overlapping",
                                          "graph_while",
                                          "stream_launch",
                                          "launch_and_wait",
                                          "host_to_device_pageable",
                                          "device_to_host_pageable",
                                          "host_to_device_pinned",
                                          "device_to_host_pinned",
                                          "allocation",
                                          "l2_read_bandwidth",
                                          "read_bandwidth",
                                          "copy_bandwidth"}));
}

TEST(DeviceProbes, TimesGrowWithTheBytes) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  constexpr std::size_t kMiB = std::size_t{1} << 20;
  EXPECT_GT(device_read_time_s(1024 * kMiB), 4 * device_read_time_s(128 * kMiB));
  EXPECT_GT(device_copy_time_s(1024 * kMiB), 4 * device_copy_time_s(128 * kMiB));
}

TEST(DeviceProbes, AreThereOrTheDevicesAbsenceIsNamedInWords) {
  std::string reason;
  if (device_available(&reason)) {
    EXPECT_GT(device_read_time_s(1 << 20), 0);
    return;
  }
  const auto expect_reason = [&reason](auto&& call) {
    try {
      call();
      ADD_FAILURE() << "no error";
    } catch (const RuntimeError& error) {
      EXPECT_EQ(error.what(), "probes: " + reason);
    }
  };
  expect_reason([] { probe_device([](const DeviceProbe&) { FAIL() << "no device"; }); });
  expect_reason([] { device_read_time_s(1 << 20); });
  expect_reason([] { device_copy_time_s(1 << 20); });
}

}  // namespace
}  // namespace nodia
