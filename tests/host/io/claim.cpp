#include "host/io/claim.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <vector>

#include "kernels/core/error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace nodia {
namespace {

TEST(Claim, IsGivenToOneAtATime) {
  const test::TemporaryFolder folder;
  {
    const std::optional<Claim> claim = Claim::take(folder.file("7"));
    ASSERT_TRUE(claim);
    EXPECT_TRUE(claim->locked());
    EXPECT_FALSE(Claim::take(folder.file("7")));
    EXPECT_TRUE(Claim::take(folder.file("8")));
  }
  EXPECT_FALSE(folder.has("7"));
  EXPECT_TRUE(Claim::take(folder.file("7")));
}

TEST(Claim, ManyThreadsNeverHoldItTogether) {
  const test::TemporaryFolder folder;
  std::atomic<int> holders = 0, taken = 0;
  std::atomic<bool> together = false;
  std::vector<std::thread> threads;
  for (int k = 0; k < 4; ++k)
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const std::optional<Claim> claim = Claim::take(folder.file("7"));
        if (!claim) continue;
        if (++holders > 1) together = true;
        ++taken;
        --holders;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(together);
  EXPECT_GT(taken, 0);
}

TEST(Claim, OfAKilledProcessIsFree) {
  const test::TemporaryFolder folder;
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const std::optional<Claim> claim = Claim::take(folder.file("7"));
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(folder.has("7"));
  EXPECT_TRUE(Claim::take(folder.file("7")));
}

TEST(Claim, InNoFolderIsAnError) {
  const test::TemporaryFolder folder;
  EXPECT_THROW(Claim::take(folder.file("none/7")), RuntimeError);
}

TEST(Claim, LeftTemporariesOfThisMachineGo) {
  const test::TemporaryFolder folder;
  const std::string path = folder.file("block.h5"), own = own_temporary(path);
  const std::string host = process_name().substr(0, process_name().find('-'));
  for (const std::string& name : {own, path + "." + host + "-1.tmp", path + ".elsewhere-1.tmp",
                                  path, folder.file("other.h5." + host + "-1.tmp")})
    std::ofstream(name) << "x";
  remove_left_temporaries(path);
  EXPECT_FALSE(std::filesystem::exists(own));
  EXPECT_FALSE(folder.has("block.h5." + host + "-1.tmp"));
  EXPECT_TRUE(folder.has("block.h5.elsewhere-1.tmp"));
  EXPECT_TRUE(folder.has("block.h5"));
  EXPECT_TRUE(folder.has("other.h5." + host + "-1.tmp"));
}

}  // namespace
}  // namespace nodia
