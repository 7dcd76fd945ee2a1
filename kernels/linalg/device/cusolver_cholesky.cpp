#include "kernels/linalg/device/cusolver_cholesky.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/core/error.hpp"
#include "kernels/device/device_buffer.hpp"

namespace nodia {
namespace {

/// What the library made, until it takes it back.
using Owned = std::unique_ptr<void, int (*)(void*)>;

Owned made_by(const Cusolver& library, int (*create)(void**), int (*destroy)(void*),
              const char* function, const char* what) {
  void* made = nullptr;
  library.check(create(&made), function, what);
  return {made, destroy};
}

constexpr const char* kWhat = "Cholesky";

}  // namespace

ScalarRows scalar_rows(const BlockCsrView<double>& A) {
  ScalarRows rows;
  rows.begin.push_back(0);
  for (int i = 0; i < 3 * A.n_row; ++i) {
    for (int k = A.row_begin[i / 3]; k < A.row_begin[i / 3 + 1]; ++k)
      for (int j = 0; j < 3; ++j) {
        rows.column.push_back(3 * A.column[k] + j);
        rows.value.push_back(A.value[9 * static_cast<std::size_t>(k) + 3 * j + i % 3]);
      }
    rows.begin.push_back(static_cast<int>(rows.column.size()));
  }
  return rows;
}

double relative_residual(const ScalarRows& A, const std::vector<double>& x,
                         const std::vector<double>& b) {
  double residual = 0, scale = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    double r = -b[i];
    for (int k = A.begin[i]; k < A.begin[i + 1]; ++k)
      r += A.value[static_cast<std::size_t>(k)] *
           x[static_cast<std::size_t>(A.column[static_cast<std::size_t>(k)])];
    if (!std::isfinite(r)) return std::numeric_limits<double>::infinity();
    residual = std::max(residual, std::fabs(r));
    scale = std::max(scale, std::fabs(b[i]));
  }
  return scale > 0 ? residual / scale : residual;
}

struct CusolverCholesky::Impl {
  const Cusolver& library;
  DeviceStream stream;
  Owned handle, matrix;
  DeviceBuffer<int> begin, column;
  DeviceBuffer<double> value, b, x;
  int n = 0, n_value = 0;
};

CusolverCholesky::CusolverCholesky(const Cusolver& library, const ScalarRows& A,
                                   const std::vector<double>& b, DeviceStream stream)
    : impl_(new Impl{library,
                     stream,
                     made_by(library, library.create, library.destroy, "cusolverSpCreate", kWhat),
                     made_by(library, library.create_matrix, library.destroy_matrix,
                             "cusparseCreateMatDescr", kWhat),
                     {},
                     {},
                     {},
                     {},
                     {},
                     static_cast<int>(b.size()),
                     static_cast<int>(A.value.size())}) {
  library.check(library.set_stream(impl_->handle.get(), stream), "cusolverSpSetStream", kWhat);
  impl_->begin.assign(A.begin, stream);
  impl_->column.assign(A.column, stream);
  impl_->value.assign(A.value, stream);
  impl_->b.assign(b, stream);
  impl_->x.resize(b.size(), stream);
}

CusolverCholesky::~CusolverCholesky() = default;

void CusolverCholesky::solve() {
  Impl& own = *impl_;
  int singular = -1;
  own.library.check(own.library.solve_by_cholesky(
                        own.handle.get(), own.n, own.n_value, own.matrix.get(), own.value.data(),
                        own.begin.data(), own.column.data(), own.b.data(), 0,
                        cusolver::kReorderByMetis, own.x.data(), &singular),
                    "cusolverSpDcsrlsvchol", kWhat);
  synchronize_device("cusolverSpDcsrlsvchol", own.stream);
  if (singular >= 0)
    throw RuntimeError(fmt::format("cusolverSpDcsrlsvchol: A is singular at row {}", singular));
}

std::vector<double> CusolverCholesky::x() const {
  return impl_->x.download(impl_->stream);
}

}  // namespace nodia
