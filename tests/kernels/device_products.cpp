/// y = A x on the device: the loop's format and cuSPARSE's, by the library that is installed, or on
/// the checked host backend by the one that stands in for it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>

#include "kernels/core/error.hpp"
#include "kernels/device/device_memory.hpp"
#include "kernels/linalg/device/device_product.hpp"
#include "tests/support/block_rows.hpp"
#include "tests/support/cusparse_stand_in.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/missing_gpu.hpp"

namespace nodia {
namespace {

using test::BlockRows;
using test::CusparseStandIn;
using test::error_of;
using test::random_square_rows;
using test::random_vectors;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

template <class Real>
constexpr double half_unit() {
  return std::numeric_limits<Real>::epsilon() / 2;
}

TEST(RoundingExcess, KnowsRoundingFromErrors) {
  const BlockRows<double> rows = random_square_rows(40, 3);
  const std::vector<Vec3d> x = random_vectors<double>(40, 2, 4);
  std::vector<Vec3d> y(40);
  for (int i = 0; i < 40; ++i) y[i] = block_row_product(rows.view(), i, x.data());
  const auto excess = [&](double unit) { return rounding_excess(rows.view(), x, y, unit); };
  EXPECT_EQ(excess(half_unit<double>()), 0);
  const double right = y[7].y;
  y[7].y = static_cast<float>(right);
  EXPECT_LT(excess(half_unit<float>()), 1);
  EXPECT_GT(excess(half_unit<double>()), 1e3);
  y[7].y = y[7].z;
  EXPECT_GT(excess(half_unit<float>()), 1e2);
  y[7].y = std::nan("");
  EXPECT_TRUE(std::isinf(excess(half_unit<float>())));
}

TEST(Cusparse, WhatIsNotHereIsToldWithWhatWasLookedFor) {
  EXPECT_THAT(error_of([] { const Cusparse library("libnodia_nowhere.so.3"); }),
              AllOf(StartsWith("cuSPARSE is not here: no libnodia_nowhere.so.3"),
                    HasSubstr("LD_LIBRARY_PATH")));
}

TEST(Cusparse, TheEnvironmentNamesAnotherLibrary) {
  setenv("NODIA_CUSPARSE", "libnodia_nowhere.so", 1);
  const std::string error = error_of([] { const Cusparse library; });
  unsetenv("NODIA_CUSPARSE");
  EXPECT_THAT(error, StartsWith("cuSPARSE is not here: no libnodia_nowhere.so"));
}

TEST(Cusparse, WhatIsThereAndNoLibraryIsToldAsSuch) {
  EXPECT_THAT(error_of([] { const Cusparse library("/dev/null"); }),
              AllOf(StartsWith("cuSPARSE: /dev/null"), testing::Not(HasSubstr("is not here"))));
}

TEST(Cusparse, ALibraryWithoutItsFunctionsIsRefused) {
  EXPECT_EQ(error_of([] { const Cusparse library("libc.so.6"); }),
            "cuSPARSE: libc.so.6 has no cusparseCreate");
}

TEST(Cusparse, WhereItIsInstalledItHasEveryFunction) {
  const std::string error = error_of([] {
    const Cusparse library;
    EXPECT_EQ(error_of([&] { library.check(10, "cusparseSpMV", "blocks"); }),
              "cusparseSpMV (blocks): operation not supported");
  });
  if (error.starts_with("cuSPARSE is not here")) GTEST_SKIP() << "PACKAGE: " << error;
  EXPECT_EQ(error, "no error");
}

TEST(Cusparse, WhereItIsInstalledItTakesWhatDescribesAMatrix) {
  std::optional<Cusparse> library;
  const std::string error = error_of([&] { library.emplace(); });
  if (!library) GTEST_SKIP() << "PACKAGE: " << error;
  std::vector<std::int32_t> lists(8, 0);
  std::vector<double> values(64, 0);
  void* made = nullptr;
  using namespace cusparse;
  EXPECT_EQ(library->create_bsr(&made, 1, 1, 1, 3, 3, lists.data(), lists.data(), values.data(),
                                kInt32, kInt32, kZeroBased, kDataType<double>, kRowMajor),
            kSuccess);
  EXPECT_EQ(library->destroy_matrix(made), kSuccess);
  EXPECT_EQ(library->create_sliced_ell(&made, 32, 32, 32, 32, 32, lists.data(), lists.data(),
                                       values.data(), kInt32, kInt32, kZeroBased, kDataType<float>),
            kSuccess);
  EXPECT_EQ(library->destroy_matrix(made), kSuccess);
  EXPECT_EQ(library->create_vector(&made, 32, values.data(), kDataType<float>), kSuccess);
  EXPECT_EQ(library->destroy_vector(made), kSuccess);
}

#if defined(NODIA_CUSPARSE_STAND_IN)
constexpr const char* kStandIn = NODIA_CUSPARSE_STAND_IN;
#else
constexpr const char* kStandIn = "";
#endif

/// With a device and a library, or a reason why not.
class DeviceProducts : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = test::missing_gpu(); !reason.empty()) GTEST_SKIP() << reason;
    stream_.emplace("products");
  }
  /// Skips where there is none.
  const Cusparse* library() {
    try {
      if (!library_ && *kStandIn != '\0')
        library_.emplace(kStandIn);
      else if (!library_)
        library_.emplace();
    } catch (const RuntimeError& error) {
      reason_ = error.what();
      return nullptr;
    }
    return &*library_;
  }
  template <class Real>
  void expect_product(DeviceProduct* product, const BlockRows<double>& rows) {
    for (unsigned seed : {1U, 2U}) {
      const int n = rows.view().n_row;
      const std::vector<Vec3d> x = random_vectors<double>(n, 1, seed);
      product->set_x(x);
      product->launch();
      const std::vector<Vec3d> y = product->y();
      ASSERT_EQ(y.size(), x.size());
      EXPECT_LE(rounding_excess(rows.view(), x, y, half_unit<Real>()), 1) << n << " rows";
      const std::vector<Vec3d> other = random_vectors<double>(n, 1, seed + 2);
      EXPECT_GT(rounding_excess(rows.view(), other, y, half_unit<Real>()), 1);
    }
  }

  std::optional<OwnedStream> stream_;
  std::optional<Cusparse> library_;
  std::string reason_;
};

constexpr int kSizes[] = {1, 16, 77, 256, 300};

TEST_F(DeviceProducts, TheLoopsFormatGivesTheProduct) {
  for (int n : kSizes) {
    const BlockRows<double> rows = random_square_rows(n, 5);
    const auto in_double = sliced_product<double>(rows.view(), stream_->get());
    expect_product<double>(in_double.get(), rows);
    const auto in_float = sliced_product<float>(rows.view(), stream_->get());
    expect_product<float>(in_float.get(), rows);
    const double n_block = rows.row_begin.back();
    EXPECT_EQ(in_double->bytes(), n_block * (72 + 4) + n * (48 + 4));
    EXPECT_EQ(in_float->bytes(), n_block * (36 + 4) + n * (24 + 4));
  }
}

TEST_F(DeviceProducts, CusparsesFormatsGiveTheProduct) {
  if (library() == nullptr) GTEST_SKIP() << "PACKAGE: " << reason_;
  for (int n : kSizes) {
    const BlockRows<double> rows = random_square_rows(n, 6);
    for (CusparseFormat format : {CusparseFormat::bsr, CusparseFormat::sliced_ell}) {
      expect_product<double>(
          cusparse_product<double>(*library(), format, rows.view(), stream_->get()).get(), rows);
      expect_product<float>(
          cusparse_product<float>(*library(), format, rows.view(), stream_->get()).get(), rows);
    }
    const double n_block = rows.row_begin.back();
    const auto blocks =
        cusparse_product<float>(*library(), CusparseFormat::bsr, rows.view(), stream_->get());
    EXPECT_EQ(blocks->bytes(), n_block * (36 + 4) + n * (24 + 4));
    const auto scalars = cusparse_product<double>(*library(), CusparseFormat::sliced_ell,
                                                  rows.view(), stream_->get());
    const int n_slice = (3 * n + kSlicedEllRows - 1) / kSlicedEllRows;
    EXPECT_EQ(scalars->bytes(), 9 * n_block * (8 + 4) + 4 * (n_slice + 1) + n * 48);
  }
}

#if defined(NODIA_CUSPARSE_STAND_IN)
/// Only device memory can be copied from.
bool is_on_device(const void* begin, std::size_t bytes) {
  std::vector<char> copy(bytes);
  return error_of([&] { copy_to_host(copy.data(), begin, bytes); }) == "no error";
}

class DeviceProductsByTheStandIn : public DeviceProducts {
 protected:
  void SetUp() override {
    DeviceProducts::SetUp();
    ASSERT_NE(library(), nullptr) << reason_;
    stand_in_ = SharedLibrary("stand-in", {kStandIn}).function<CusparseStandIn*>("nodia_stand_in");
    *stand_in_ = {};
    stand_in_->on_device = is_on_device;
  }
  /// Of making a product and of running it once.
  std::string error_of_product(CusparseFormat format) {
    return error_of([&] {
      const auto product =
          cusparse_product<double>(*library(), format, rows_.view(), stream_->get());
      product->set_x(random_vectors<double>(rows_.view().n_row, 1, 1));
      product->launch();
      product->y();
    });
  }

  BlockRows<double> rows_ = random_square_rows(77, 8);
  CusparseStandIn* stand_in_ = nullptr;
};

TEST_F(DeviceProductsByTheStandIn, EveryArgumentIsAsTheLibraryWantsIt) {
  for (CusparseFormat format : {CusparseFormat::bsr, CusparseFormat::sliced_ell}) {
    EXPECT_EQ(error_of_product(format), "no error");
    EXPECT_STREQ(stand_in_->complaint, "");
    EXPECT_EQ(stand_in_->stream, stream_->get());
    EXPECT_EQ(stand_in_->n_live, 0) << "destroyed";
  }
  EXPECT_EQ(stand_in_->n_product, 2);
}

TEST_F(DeviceProductsByTheStandIn, WhatTheLibraryRefusesIsToldWithItsWords) {
  struct Refusal {
    const char* function;
    CusparseFormat format;
    const char* what;
  };
  for (const Refusal& c :
       {Refusal{"cusparseCreate", CusparseFormat::bsr, "3x3 blocks, double"},
        Refusal{"cusparseSetStream", CusparseFormat::bsr, "3x3 blocks, double"},
        Refusal{"cusparseCreateBsr", CusparseFormat::bsr, "3x3 blocks"},
        Refusal{"cusparseCreateSlicedEll", CusparseFormat::sliced_ell, "slices of 32 rows"},
        Refusal{"cusparseCreateDnVec", CusparseFormat::sliced_ell, "sliced ELL, double"},
        Refusal{"cusparseSpMV_bufferSize", CusparseFormat::bsr, "3x3 blocks, double"},
        Refusal{"cusparseSpMV", CusparseFormat::sliced_ell, "sliced ELL, double"}}) {
    stand_in_->failing = c.function;
    stand_in_->status = 10;
    EXPECT_EQ(error_of_product(c.format),
              std::string(c.function) + " (" + c.what + "): operation not supported");
    stand_in_->status = 99;
    EXPECT_EQ(error_of_product(c.format), std::string(c.function) + " (" + c.what + "): status 99");
    EXPECT_EQ(stand_in_->n_live, 0) << c.function;
  }
}

TEST_F(DeviceProductsByTheStandIn, AnIncompleteLibraryIsRefused) {
  EXPECT_EQ(error_of([] { const Cusparse library(NODIA_CUSPARSE_INCOMPLETE); }),
            std::string("cuSPARSE: ") + NODIA_CUSPARSE_INCOMPLETE + " has no cusparseSpMV");
}
#endif

}  // namespace
}  // namespace nodia
