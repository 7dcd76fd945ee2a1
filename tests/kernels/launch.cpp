#include "kernels/core/launch.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace nodia {
namespace {

TEST(Launch, CallsEveryIndexOnce) {
  for (const int n : {0, 1, 2, 5, 1000})
    for (const int n_thread : {0, 1, 2, 3, 7}) {
      std::vector<int> calls(n, 0);
      launch(
          n, [&](int i) { ++calls[i]; }, n_thread);
      EXPECT_EQ(calls, std::vector<int>(n, 1)) << n << " indices, " << n_thread << " threads";
    }
}

}  // namespace
}  // namespace nodia
