#include "tools/studies/bench_factors.hpp"

#include <fmt/format.h>

#include <memory>

#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/linalg/device/cusolver_cholesky.hpp"
#include "tools/compare/median.hpp"

namespace nodia::studies {
namespace {

constexpr const char* kName = "cusolver_cholesky";
/// Of a solution: far above what rounding brings, far below what a wrong one has.
constexpr double kMostResidual = 1e-6;
/// Larger factors take minutes and the memory of a device.
constexpr int kMostNodes = 20000;

}  // namespace

std::optional<Contestant> measure_cusolver(const SlidingMat& mat, const Cusolver* library,
                                           const std::string& absent, const BenchOptions& options,
                                           const BenchListener& listener) {
  try {
    if (mat.n_node() > kMostNodes)
      throw RuntimeError(fmt::format("more than {} nodes", kMostNodes));
    if (library == nullptr) throw RuntimeError(absent);
    const ScalarRows A = scalar_rows(mat.problem.A.view());
    std::vector<double> b;
    for (const Vec3d& row : mat.problem.b)
      for (int axis = 0; axis < 3; ++axis) b.push_back(row[axis]);
    const OwnedStream stream("factors");
    CusolverCholesky factor(*library, A, b, stream.get());
    factor.solve();
    if (const double residual = relative_residual(A, factor.x(), b); !(residual <= kMostResidual))
      throw RuntimeError(
          fmt::format("its result is wrong: A x differs from b by {:.1e} of b", residual));
    Contestant contestant;
    BenchRow& row = contestant.row;
    row.name = kName;
    row.backend = name_of(Backend::cuda);
    row.n_node = mat.n_node();
    row.precision = name_of(Precision::double_);
    row.format = "csr";
    for (int r = 0; r < options.rounds; ++r) {
      const Stopwatch watch;
      factor.solve();
      contestant.s.push_back(watch.seconds());
    }
    row.us_per_iteration = 1e6 * median(contestant.s);
    return contestant;
  } catch (const RuntimeError& error) {
    listener.skip({kName, name_of(Backend::cuda), mat.n_node(), 1, error.what()});
    return {};
  }
}

void bench_factors(const SlidingMat& mat, const BenchOptions& options,
                   const BenchListener& listener) {
  std::optional<Cusolver> library;
  std::string absent;
  try {
    library.emplace();
  } catch (const RuntimeError& error) {
    absent = error.what();
  }
  if (const auto measured =
          measure_cusolver(mat, library ? &*library : nullptr, absent, options, listener))
    listener.row(measured->row);
}

}  // namespace nodia::studies
