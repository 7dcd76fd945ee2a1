// What a test program begins with: gtest's main and a time, NODIA_SLOW_UNTIL in seconds since the
// epoch, after which no test named *Slow* begins. It is skipped in words then (tools/test.sh
// --within).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace {

bool time_is_over() {
  const char* until = std::getenv("NODIA_SLOW_UNTIL");
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return until != nullptr && *until != '\0' &&
         std::chrono::duration<double>(now).count() > std::strtod(until, nullptr);
}

bool all_are_slow() {
  const testing::UnitTest& program = *testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const testing::TestSuite& suite = *program.GetTestSuite(s);
    for (int k = 0; k < suite.total_test_count(); ++k) {
      const testing::TestInfo& test = *suite.GetTestInfo(k);
      const std::string_view slow = "Slow";
      if (test.should_run() &&
          std::string_view(test.test_suite_name()).find(slow) == std::string_view::npos &&
          std::string_view(test.name()).find(slow) == std::string_view::npos)
        return false;
    }
  }
  return true;
}

class SlowOnes : public testing::Environment {
  void SetUp() override {
    if (!time_is_over() || !all_are_slow()) return;
    std::cout
        << "[  SKIPPED ] slow, and the time for slow ones was over\n";  // what ctest looks for
    GTEST_SKIP();
  }
};

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleMock(&argc, argv);
  testing::AddGlobalTestEnvironment(new SlowOnes);
  return RUN_ALL_TESTS();
}
