/// Runs a check in each of the loop's precisions.
#pragma once

#include <gtest/gtest.h>

#include "kernels/vfpi/options.hpp"

namespace nodia::test {

/// Calls check(Precision{}) for each precision.
template <class Check>
void in_every_precision(const Check& check) {
  {
    SCOPED_TRACE("double");
    check(DoublePrecision{});
  }
  {
    SCOPED_TRACE("mixed");
    check(MixedPrecision{});
  }
  {
    SCOPED_TRACE("float");
    check(FloatPrecision{});
  }
}

}  // namespace nodia::test
