#include "fem/mesh/child_process.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace nodia {
namespace {

ChildOutput run_shell(const std::string& script, std::chrono::seconds limit) {
  return run_child({"/bin/sh", "-c", script}, limit);
}

constexpr std::chrono::seconds kLong{60};

TEST(ChildProcess, ReturnsOutputAndExitCode) {
  const ChildOutput child = run_shell("printf 'a\\000b'; echo noise >&2; exit 3", kLong);
  EXPECT_EQ(child.end, ChildEnd::exited);
  EXPECT_EQ(child.code, 3);
  EXPECT_EQ(child.output, std::string("a\0b", 3));
}

TEST(ChildProcess, ReadsMoreThanAPipeHolds) {
  const ChildOutput child = run_shell("head -c 3000000 /dev/zero", kLong);
  EXPECT_EQ(child.end, ChildEnd::exited);
  EXPECT_EQ(child.output.size(), 3000000u);
}

TEST(ChildProcess, HasNoStandardInput) {
  EXPECT_EQ(run_shell("cat", kLong).output, "");
}

TEST(ChildProcess, NamesTheSignalOfACrash) {
  const ChildOutput child = run_shell("kill -SEGV $$", kLong);
  EXPECT_EQ(child.end, ChildEnd::crashed);
  EXPECT_EQ(child.code, SIGSEGV);
}

TEST(ChildProcess, IsKilledAtItsTimeLimit) {
  EXPECT_EQ(run_shell("sleep 100", std::chrono::seconds(1)).end, ChildEnd::out_of_time);
}

TEST(ChildProcess, SaysWhyAProgramDoesNotStart) {
  const ChildOutput child = run_child({"/no/such/program"}, kLong);
  EXPECT_EQ(child.end, ChildEnd::not_started);
  EXPECT_EQ(child.code, ENOENT);
}

}  // namespace
}  // namespace nodia
