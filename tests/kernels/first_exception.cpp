#include "kernels/core/first_exception.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace nodia {
namespace {

TEST(FirstException, ThrowsThatOfTheLowestIterationAfterAllOfThem) {
  int n_call = 0;
  FirstException thrown;
  for (const int i : {5, 2, 9, 4})
    thrown.guard(i, [&] {
      ++n_call;
      throw std::runtime_error(std::to_string(i));
    });
  EXPECT_EQ(n_call, 4);
  try {
    thrown.rethrow();
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "2");
  }
}

TEST(FirstException, ThrowsNothingWhereNothingWasThrown) {
  FirstException thrown;
  int n_call = 0;
  thrown.guard(0, [&] { ++n_call; });
  EXPECT_EQ(n_call, 1);
  EXPECT_NO_THROW(thrown.rethrow());
}

}  // namespace
}  // namespace nodia
