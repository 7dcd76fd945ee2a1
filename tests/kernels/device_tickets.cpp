/// Litmus test of the memory order between blocks (kernels/device/ticket_litmus.hpp) on a device.
/// tools/gpu_check.sh reads the number of stale words of every test.
#include <gtest/gtest.h>

#include <string>

#include "kernels/device/device.hpp"
#include "kernels/device/ticket_litmus.hpp"
#include "tests/support/missing_gpu.hpp"

namespace nodia {
namespace {

/// 1056 blocks of 256 threads fill 132 multiprocessors.
constexpr TicketShape kFullDevice{.n_block = 1056, .n_group = 117, .group_size = 9};

/// Runs 100,000 rounds. Ordered tickets must give no stale word, a negative control must give some.
/// Skips the test if there is no device that records loops.
void expect_stale_words_of_controls_only(Tickets tickets, const TicketShape& shape) {
  if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
  if (std::string reason; !can_record_loops(&reason)) GTEST_SKIP() << "GPU: " << reason;
  const TicketFindings found = run_ticket_litmus(tickets, shape, 100000);
  testing::Test::RecordProperty("stale_words", std::to_string(found.n_stale));
  EXPECT_EQ(found.n_miscounted, 0) << "decisions are missing or too many";
  if (tickets == Tickets::ordered)
    EXPECT_EQ(found.n_stale, 0) << "a deciding block saw stale words";
  else
    EXPECT_GT(found.n_stale, 0) << "the litmus test is blind";
}

TEST(DeviceTickets, OneBlock) {
  expect_stale_words_of_controls_only(Tickets::ordered, {1, 2, 3});
}

TEST(DeviceTickets, FourBlocks) {
  expect_stale_words_of_controls_only(Tickets::ordered, {4, 1, 9});
}

TEST(DeviceTickets, GroupsOfOneItem) {
  expect_stale_words_of_controls_only(Tickets::ordered, {1056, 1056, 1});
}

TEST(DeviceTickets, FullDevice) {
  expect_stale_words_of_controls_only(Tickets::ordered, kFullDevice);
}

TEST(DeviceTickets, FullDeviceWithoutAcquire) {
  expect_stale_words_of_controls_only(Tickets::without_acquire, kFullDevice);
}

TEST(DeviceTickets, FullDeviceWithoutRelease) {
  expect_stale_words_of_controls_only(Tickets::without_release, kFullDevice);
}

}  // namespace
}  // namespace nodia
