/// Tests the products of `nodia bench` on the checked host backend, with a stand-in for cuSPARSE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/devices/checked_host/checked_host.hpp"
#include "tests/support/cusparse_stand_in.hpp"
#include "tests/support/source_file.hpp"
#include "tools/benchmarks/bench_products.hpp"

namespace nodia::studies {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class DeviceBenchProducts : public testing::Test {
 protected:
  DeviceBenchProducts() {
    options_.nodes = {60};
    options_.rounds = 3;
    options_.backends = {Backend::cpu};
    listener_.row = [](const Row&) {};
    listener_.on_skip = [this](const Row& skip) {
      skipped_.push_back(skip.at("case"));
      reason_.push_back(skip.at("reason"));
    };
  }
  std::vector<std::string> names_of(const std::vector<Contestant>& measured) {
    std::vector<std::string> names;
    for (const Contestant& c : measured) names.push_back(c.row.at("case"));
    return names;
  }

  BenchOptions options_;
  BenchListener listener_;
  std::vector<std::string> skipped_, reason_;
};

SlidingMat small_mat(const BenchOptions& options) {
  return {load_scenario(test::source_file("scenarios/soft_mat/soft_mat.yaml")), 60, options};
}

TEST_F(DeviceBenchProducts, WithoutTheLibraryItsRowsAreToldAsNotMeasured) {
  const SlidingMat mat = small_mat(options_);
  const auto measured =
      measure_products(mat, Precision::double_, nullptr, "it is not here", options_, listener_);
  EXPECT_THAT(names_of(measured), ElementsAre("sliced_product"));
  EXPECT_THAT(skipped_, ElementsAre("cusparse_bsr_product", "cusparse_sell_product"));
  EXPECT_THAT(reason_, Each(std::string("it is not here")));
}

#if defined(NODIA_CUSPARSE_STAND_IN)
TEST_F(DeviceBenchProducts, EveryProductIsMeasuredBesideTheLoops) {
  const SlidingMat mat = small_mat(options_);
  const Cusparse library(NODIA_CUSPARSE_STAND_IN);
  for (Precision precision : {Precision::double_, Precision::float_}) {
    const auto measured = measure_products(mat, precision, &library, "", options_, listener_);
    EXPECT_THAT(names_of(measured),
                ElementsAre("sliced_product", "cusparse_bsr_product", "cusparse_sell_product"));
    for (const Contestant& c : measured) {
      EXPECT_EQ(c.s.size(), 3U);
      EXPECT_GT(c.row.at("ratio_to_own_product"), 0);
      EXPECT_GT(c.row.at("bytes_per_iteration"),
                60 * (precision == Precision::double_ ? 500 : 250));
      EXPECT_EQ(c.row.at("backend"), "cuda");
      EXPECT_EQ(c.row.at("precision"), name_of(precision));
      EXPECT_EQ(c.row.at("n_node"), mat.n_node());
    }
    EXPECT_EQ(measured.front().row.at("ratio_to_own_product"), 1);
  }
  EXPECT_THAT(skipped_, IsEmpty());
}

TEST_F(DeviceBenchProducts, WhatIsWrongIsNotMeasured) {
  const SlidingMat mat = small_mat(options_);
  const Cusparse library(NODIA_CUSPARSE_STAND_IN);
  auto* stand_in = SharedLibrary("stand-in", {NODIA_CUSPARSE_STAND_IN})
                       .function<test::CusparseStandIn*>("nodia_stand_in");
  stand_in->failing = "cusparseSpMV";  // reports success but does not change y
  stand_in->status = 0;
  const auto measured = measure_products(mat, Precision::float_, &library, "", options_, listener_);
  *stand_in = {};
  EXPECT_THAT(names_of(measured), ElementsAre("sliced_product"));
  EXPECT_THAT(skipped_, ElementsAre("cusparse_bsr_product", "cusparse_sell_product"));
  EXPECT_THAT(reason_, Each(HasSubstr("its result is wrong")));
}
#endif

TEST_F(DeviceBenchProducts, WhereThereIsNoRoomNothingIsMeasured) {
  const SlidingMat mat = small_mat(options_);
  CheckedHost& device = checked_host();
  device.last_allocation = device.n_allocation;
  const auto measured =
      measure_products(mat, Precision::double_, nullptr, "it is not here", options_, listener_);
  device.last_allocation = -1;
  EXPECT_THAT(measured, IsEmpty());
  EXPECT_THAT(reason_.front(), HasSubstr("device memory"));
}

}  // namespace
}  // namespace nodia::studies
