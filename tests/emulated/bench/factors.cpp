/// Tests the factorising baseline of `nodia bench` with a stand-in for cuSOLVER.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/linalg/device/cusolver_cholesky.hpp"
#include "tests/support/cusolver_stand_in.hpp"
#include "tests/support/source_file.hpp"
#include "tools/studies/bench_factors.hpp"

namespace nodia::studies {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DeviceBenchFactors : public testing::Test {
 protected:
  DeviceBenchFactors() {
    options_.nodes = {60};
    options_.rounds = 3;
    options_.backends = {Backend::cpu};
    listener_.row = [](const BenchRow&) {};
    listener_.skip = [this](const BenchSkip& skip) {
      skipped_.push_back(skip.name);
      reason_.push_back(skip.reason);
    };
  }
  SlidingMat small_mat() const {
    return {load_scenario(test::source_file("scenarios/soft_mat/soft_mat.yaml")), 60, options_};
  }

  BenchOptions options_;
  BenchListener listener_;
  std::vector<std::string> skipped_, reason_;
};

TEST_F(DeviceBenchFactors, ScalarRowsMultiplyAsTheBlocksDo) {
  const SlidingMat mat = small_mat();
  const BlockMatrix& A = mat.problem.A;
  const ScalarRows rows = scalar_rows(A.view());
  ASSERT_EQ(rows.begin.size(), 3 * static_cast<std::size_t>(mat.n_node()) + 1);
  EXPECT_EQ(rows.value.size(), 9 * static_cast<std::size_t>(A.pattern->n_block()));
  std::vector<double> x, y;
  for (int i = 0; i < 3 * mat.n_node(); ++i) x.push_back(0.1 + i % 7);
  for (int i = 0; i < mat.n_node(); ++i) {
    Vec3d sum{};
    for (int k = A.pattern->row_begin[i]; k < A.pattern->row_begin[i + 1]; ++k) {
      const int j = 3 * A.pattern->column[k];
      sum += load_block(A.value.data() + 9 * static_cast<std::size_t>(k)) *
             Vec3d{x[j], x[j + 1], x[j + 2]};
    }
    for (int axis = 0; axis < 3; ++axis) y.push_back(sum[axis]);
  }
  EXPECT_LT(relative_residual(rows, x, y), 1e-13);
  y[5] *= 1.01;
  EXPECT_GT(relative_residual(rows, x, y), 1e-6);
  x[7] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(relative_residual(rows, x, y), std::numeric_limits<double>::infinity());
}

TEST_F(DeviceBenchFactors, WithoutTheLibraryItIsToldAsNotMeasured) {
  EXPECT_FALSE(measure_cusolver(small_mat(), nullptr, "it is not here", options_, listener_));
  EXPECT_THAT(skipped_, ElementsAre("cusolver_cholesky"));
  EXPECT_THAT(reason_, ElementsAre("it is not here"));
}

TEST_F(DeviceBenchFactors, ALibraryThatIsNotHereSaysSo) {
  try {
    const Cusolver library("libnot_there.so.1");
    FAIL() << library.name();
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(), HasSubstr("cuSOLVER is not here: no libnot_there.so.1"));
  }
}

#if defined(NODIA_CUSOLVER_STAND_IN)
class DeviceBenchFactorsByStandIn : public DeviceBenchFactors {
 protected:
  ~DeviceBenchFactorsByStandIn() override { *stand_in_ = {}; }
  std::optional<Contestant> measure() {
    return measure_cusolver(small_mat(), &library_, "", options_, listener_);
  }

  const Cusolver library_{NODIA_CUSOLVER_STAND_IN};
  test::CusolverStandIn* const stand_in_ = SharedLibrary("stand-in", {NODIA_CUSOLVER_STAND_IN})
                                               .function<test::CusolverStandIn*>("nodia_stand_in");
};

TEST_F(DeviceBenchFactorsByStandIn, IsCheckedAndMeasured) {
  const std::optional<Contestant> measured = measure();
  ASSERT_TRUE(measured) << reason_.front();
  EXPECT_EQ(measured->s.size(), 3U);
  EXPECT_EQ(stand_in_->n_solve, 4);
  EXPECT_EQ(stand_in_->n_live, 0);
  EXPECT_EQ(measured->row.backend, "cuda");
  EXPECT_EQ(measured->row.format, "csr");
  EXPECT_GT(measured->row.us_per_iteration, 0);
  EXPECT_THAT(skipped_, IsEmpty());
}

TEST_F(DeviceBenchFactorsByStandIn, WhatFailsOrIsWrongIsToldAsNotMeasured) {
  stand_in_->status = 2;
  EXPECT_FALSE(measure());
  stand_in_->status = 77;
  EXPECT_FALSE(measure());
  stand_in_->status = 0;
  stand_in_->leaves_x = true;
  EXPECT_FALSE(measure());
  EXPECT_THAT(reason_,
              ElementsAre("cusolverSpDcsrlsvchol (Cholesky): no room",
                          "cusolverSpDcsrlsvchol (Cholesky): status 77",
                          HasSubstr("its result is wrong: A x differs from b by 1.0e+00")));
  EXPECT_EQ(stand_in_->n_live, 0);
}
#endif

}  // namespace
}  // namespace nodia::studies
