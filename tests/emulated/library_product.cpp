/// Tests COND on the checked host backend with the products of a stand-in for cuSPARSE.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "host/solvers/catalogue.hpp"
#include "host/solvers/cond/options.hpp"
#include "kernels/core/error.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/device/shared_library.hpp"
#include "kernels/vfpi/library/library_gradient.hpp"
#include "tests/devices/race_detector/launcher.hpp"
#include "tests/support/cusparse_stand_in.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/loop_batch.hpp"
#include "tests/support/random_problem.hpp"
#include "tests/support/same_bits.hpp"
#include "tests/support/take_solution.hpp"

namespace nodia {
namespace {

using test::CusparseStandIn;
using test::error_of;
using testing::HasSubstr;
using testing::StartsWith;

class DeviceLoopByLibrary : public testing::Test {
 protected:
  void TearDown() override { unsetenv("NODIA_CUSPARSE"); }
  void name_library(const char* path) { setenv("NODIA_CUSPARSE", path, 1); }

  std::unique_ptr<ContactSolver> solver(Precision precision, Product product,
                                        std::optional<LoopLauncher> loop) {
    SolverOptions options;
    options.solver = "cond";
    options.tolerance = 1e-300;
    options.max_iterations = 60;
    options.execution.backend = Backend::cuda;
    options.execution.precision = precision;
    options.execution.product = product;
    options.execution.loop = loop;
    return make_solver(options);
  }
};

TEST_F(DeviceLoopByLibrary, WhereItIsNotHereTheSolveSaysSo) {
  name_library("libnodia_nowhere.so");
  const ContactProblem p = random_problem({.n_pair_contact = 0});
  const auto by_library = solver(Precision::double_, Product::cusparse, LoopLauncher::launches);
  Solution solution;
  EXPECT_THAT(error_of<RuntimeError>([&] { by_library->solve(p, {}, &solution); }),
              StartsWith("cuSPARSE is not here: no libnodia_nowhere.so"));
}

TEST_F(DeviceLoopByLibrary, AGraphIsRefused) {
  const ContactProblem p = random_problem({.n_pair_contact = 0});
  const auto by_library = solver(Precision::double_, Product::cusparse, LoopLauncher::graph);
  Solution solution;
  EXPECT_EQ(error_of<InputError>([&] { by_library->solve(p, {}, &solution); }),
            "--loop = graph (must be launches or checked with --product cusparse)");
}

/// Launches of another launcher.
template <class Launcher>
struct LaunchesOf {
  Launcher* to;

  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    to->launch(name, kernel, n_item);
  }
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    to->repeat_while(condition, body);
  }
};

/// Solution of the loop with a product that the host computes, for any launcher.
template <class Precision, class Launcher>
std::vector<Vec3d> solve_with_host_product(const ContactProblem& p, Launcher* launcher) {
  using Matrix = typename Precision::Matrix;
  SolverOptions options;
  options.max_iterations = 20;
  options.execution.product = Product::cusparse;
  LoopProblem<Precision> problem(options, options.of<CondOptions>());
  const WarmStart warm{std::vector<Vec3d>(p.n_node()), std::vector<Vec3d>(p.n_contact())};
  problem.set(p, warm);
  std::vector<std::int64_t> env_begin;
  for (const auto& range : problem.ranges()) env_begin.push_back(range.first_row);
  std::vector<Matrix> x(3 * static_cast<std::size_t>(env_begin.back()), 0), y = x;
  const LibraryProduct<Precision> library{
      x.data(), y.data(), env_begin.data(), [&] {
        for (std::size_t e = 0; e < problem.environments().size(); ++e) {
          const VfpiEnvironment<Precision>& env = problem.environments()[e];
          const Matrix* const from = x.data() + 3 * env_begin[e];
          for (int row = 0; row < env.n_chunk * kBlockLanes; ++row) {
            Matrix* const sum = y.data() + 3 * (env_begin[e] + row);
            for (int r = 0; r < 3; ++r) sum[r] = 0;
            const int slice = row / kSliceRows;
            for (int k = env.slice_begin[slice]; k < env.slice_begin[slice + 1]; ++k) {
              const int at = k * kSliceRows + row % kSliceRows;
              for (int c = 0; env.block[at] >= 0 && c < 9; ++c)
                sum[c % 3] += static_cast<Matrix>(env.block_value[9 * env.block[at] + c]) *
                              from[3 * (env.column[at] / kNodeStride) + c / 3];
            }
          }
        }
      }};
  test::LoopBatch<Precision> batch(&problem, p.n_env());
  LibraryLauncher<Precision, LaunchesOf<Launcher>> by_library({launcher}, library);
  batch.solve(&by_library);
  Solution solution;
  test::take_solution(&problem, &solution);
  return solution.v;
}

template <class Precision>
class DeviceLibraryKernels : public testing::Test {};
using Precisions = testing::Types<DoublePrecision, MixedPrecision, FloatPrecision>;
TYPED_TEST_SUITE(DeviceLibraryKernels, Precisions);

TYPED_TEST(DeviceLibraryKernels, MimickedTheyHaveTheCpusBits) {
  const ContactProblem p = random_problem(
      {.seed = 4, .n_env = 2, .n_node = 40, .n_world_contact = 15, .n_pair_contact = 5});
  CpuLauncher cpu(chosen_isa(), 1);
  const std::vector<Vec3d> v = solve_with_host_product<TypeParam>(p, &cpu);
  EXPECT_GT(norm(v[3]), 0);
  for (std::uint64_t seed : {1, 2}) {
    MimicLauncher mimic({.seed = seed});
    EXPECT_EQ(test::count_different(solve_with_host_product<TypeParam>(p, &mimic), v), 0);
  }
}

#if defined(NODIA_CUSPARSE_STAND_IN)
double largest_difference(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
  double largest = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, norm(a[i] - b[i]));
    scale = std::max(scale, norm(a[i]));
  }
  return largest / scale;
}

class DeviceLoopByStandIn : public DeviceLoopByLibrary {
 protected:
  void SetUp() override {
    name_library(NODIA_CUSPARSE_STAND_IN);
    stand_in_ = SharedLibrary("stand-in", {NODIA_CUSPARSE_STAND_IN})
                    .function<CusparseStandIn*>("nodia_stand_in");
    *stand_in_ = {};
  }

  CusparseStandIn* stand_in_ = nullptr;
};

const RandomProblemOptions kShapes[] = {
    {.seed = 1, .n_env = 1, .n_node = 120, .n_world_contact = 30, .n_pair_contact = 0},
    {.seed = 2, .n_env = 3, .n_node = 40, .n_world_contact = 20, .n_pair_contact = 0},
    {.seed = 3, .n_env = 2, .n_node = 270, .n_world_contact = 30, .n_pair_contact = 9}};

/// Error bound of iterations without convergence. In mixed precision the float matrix is rounded in
/// another form; the difference is a fraction of the increment that rounding to float drops.
double bound_of(Precision precision) {
  return precision == Precision::double_ ? 1e-9 : precision == Precision::mixed ? 1e-6 : 1e-4;
}

TEST_F(DeviceLoopByStandIn, TheAnswerIsThatOfOurProducts) {
  for (const RandomProblemOptions& shape : kShapes)
    for (Precision precision : {Precision::double_, Precision::mixed, Precision::float_}) {
      SCOPED_TRACE(testing::Message() << "problem " << shape.seed << ", " << name_of(precision));
      ContactProblem p = random_problem(shape);
      const auto by_library = solver(precision, Product::cusparse, LoopLauncher::launches);
      const auto ours = solver(precision, Product::ours, LoopLauncher::launches);
      for (int solve = 0; solve < 2; ++solve) {
        Solution theirs, own;
        stand_in_->n_product = 0;
        by_library->solve(p, {}, &theirs);
        ours->solve(p, {}, &own);
        EXPECT_STREQ(stand_in_->complaint, "");
        EXPECT_GE(stand_in_->n_product, theirs.env.front().iterations);
        EXPECT_GT(theirs.env.front().iterations, 20);
        EXPECT_LE(largest_difference(theirs.v, own.v), bound_of(precision));
        EXPECT_LE(largest_difference(theirs.lambda, own.lambda), 10 * bound_of(precision));
        for (double& value : p.A.value) value *= 1.25;  // same pattern
      }
    }
  EXPECT_EQ(stand_in_->n_live, 0);
}

TEST_F(DeviceLoopByStandIn, LaunchesThatAreCheckedOneByOneHaveTheSameBits) {
  const ContactProblem p = random_problem(kShapes[1]);
  Solution launched, checked;
  solver(Precision::float_, Product::cusparse, LoopLauncher::launches)->solve(p, {}, &launched);
  solver(Precision::float_, Product::cusparse, LoopLauncher::checked)->solve(p, {}, &checked);
  EXPECT_EQ(test::count_different(launched.v, checked.v), 0);
  EXPECT_EQ(test::count_different(launched.lambda, checked.lambda), 0);
}

TEST_F(DeviceLoopByStandIn, OtherRowsAreTakenAnew) {
  const auto by_library = solver(Precision::double_, Product::cusparse, LoopLauncher::launches);
  for (const RandomProblemOptions& shape : kShapes) {
    const ContactProblem p = random_problem(shape);
    Solution theirs, own;
    by_library->solve(p, {}, &theirs);
    solver(Precision::double_, Product::ours, LoopLauncher::launches)->solve(p, {}, &own);
    EXPECT_LE(largest_difference(theirs.v, own.v), 1e-9);
  }
  EXPECT_STREQ(stand_in_->complaint, "");
}

TEST_F(DeviceLoopByStandIn, WhatTheLibraryRefusesEndsTheSolveAndNotTheNext) {
  const ContactProblem p = random_problem(kShapes[0]);
  Solution solution;
  for (const char* function : {"cusparseCreateBsr", "cusparseSpMV_bufferSize", "cusparseSpMV"}) {
    const auto by_library = solver(Precision::float_, Product::cusparse, LoopLauncher::launches);
    stand_in_->failing = function;
    stand_in_->status = 10;
    EXPECT_THAT(error_of<RuntimeError>([&] { by_library->solve(p, {}, &solution); }),
                HasSubstr(std::string(function) + " (3x3 blocks"));
    EXPECT_EQ(stand_in_->n_live, 0);
    stand_in_->failing = nullptr;
    by_library->solve(p, {}, &solution);
    EXPECT_GT(solution.env.front().iterations, 20);
  }
}

TEST_F(DeviceLoopByStandIn, MoreThanOneDiagonalIsRefused) {
  const char* const kRefused =
      "--product = cusparse (must be ours where W is more than one diagonal";
  Solution solution;
  const ContactProblem bodies =
      random_problem({.seed = 8, .n_node = 30, .n_pair_contact = 0, .n_body = 2});
  const auto by_library = solver(Precision::double_, Product::cusparse, LoopLauncher::launches);
  EXPECT_THAT(error_of<RuntimeError>([&] { by_library->solve(bodies, {}, &solution); }),
              StartsWith(kRefused));
  SolverOptions options;
  options.solver = "cond";
  options.of<CondOptions>().w = WKind::bb1;
  options.execution.backend = Backend::cuda;
  options.execution.product = Product::cusparse;
  options.execution.loop = LoopLauncher::launches;
  const ContactProblem soft = random_problem(kShapes[1]);
  EXPECT_THAT(error_of<RuntimeError>([&] { make_solver(options)->solve(soft, {}, &solution); }),
              StartsWith(kRefused));
}
#endif

}  // namespace
}  // namespace nodia
