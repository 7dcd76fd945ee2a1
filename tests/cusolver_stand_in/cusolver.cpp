/// A library with the functions of cuSOLVER that nodia calls, declared by the real headers, so that
/// the compiler holds them to it. It checks what it is given and solves in the host's memory.
#include <cusolverSp.h>

#include <cmath>
#include <vector>

#include "tests/support/cusolver_stand_in.hpp"

using nodia::test::CusolverStandIn;

extern "C" CusolverStandIn nodia_stand_in;
CusolverStandIn nodia_stand_in;

struct cusolverSpContext {
  cudaStream_t stream = nullptr;
};
struct cusparseMatDescr {
  int unused = 0;
};

namespace {

/// Rows and columns below n, columns ascending.
bool is_pattern(int n, int n_value, const int* begin, const int* column) {
  if (begin[0] != 0 || begin[n] != n_value) return false;
  for (int i = 0; i < n; ++i) {
    if (begin[i + 1] < begin[i]) return false;
    for (int k = begin[i]; k < begin[i + 1]; ++k)
      if (column[k] < 0 || column[k] >= n || (k > begin[i] && column[k] <= column[k - 1]))
        return false;
  }
  return true;
}

/// Dense, in place. @return the first row without a positive pivot; -1: none
int solve(int n, std::vector<double>* matrix, std::vector<double>* x) {
  const auto at = [&](int i, int j) -> double& {
    return (*matrix)[static_cast<std::size_t>(i) * n + j];
  };
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k)
      for (int i = j; i < n; ++i) at(i, j) -= at(i, k) * at(j, k);
    if (!(at(j, j) > 0)) return j;
    const double pivot = std::sqrt(at(j, j));
    for (int i = j; i < n; ++i) at(i, j) /= pivot;
  }
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < i; ++j) (*x)[i] -= at(i, j) * (*x)[j];
    (*x)[i] /= at(i, i);
  }
  for (int i = n - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) (*x)[i] -= at(j, i) * (*x)[j];
    (*x)[i] /= at(i, i);
  }
  return -1;
}

}  // namespace

extern "C" {

cusolverStatus_t cusolverSpCreate(cusolverSpHandle_t* handle) {
  *handle = new cusolverSpContext;
  ++nodia_stand_in.n_live;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDestroy(cusolverSpHandle_t handle) {
  delete handle;
  --nodia_stand_in.n_live;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpSetStream(cusolverSpHandle_t handle, cudaStream_t stream) {
  handle->stream = stream;
  nodia_stand_in.stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* matrix) {
  *matrix = new cusparseMatDescr;
  ++nodia_stand_in.n_live;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t matrix) {
  delete matrix;
  --nodia_stand_in.n_live;
  return CUSPARSE_STATUS_SUCCESS;
}

cusolverStatus_t cusolverSpDcsrlsvchol(cusolverSpHandle_t handle, int n, int n_value,
                                       const cusparseMatDescr_t matrix, const double* value,
                                       const int* begin, const int* column, const double* b,
                                       double tolerance, int reorder, double* x, int* singular) {
  const bool good = handle != nullptr && handle->stream != nullptr && matrix != nullptr && n > 0 &&
                    tolerance >= 0 && reorder >= 0 && reorder <= 3 && singular != nullptr &&
                    is_pattern(n, n_value, begin, column);
  if (!good) return CUSOLVER_STATUS_INVALID_VALUE;
  if (nodia_stand_in.status != 0) return static_cast<cusolverStatus_t>(nodia_stand_in.status);
  ++nodia_stand_in.n_solve;
  if (nodia_stand_in.leaves_x) {
    *singular = -1;
    return CUSOLVER_STATUS_SUCCESS;
  }
  std::vector<double> dense(static_cast<std::size_t>(n) * n), answer(b, b + n);
  for (int i = 0; i < n; ++i)
    for (int k = begin[i]; k < begin[i + 1]; ++k)
      dense[static_cast<std::size_t>(i) * n + column[k]] = value[k];
  *singular = solve(n, &dense, &answer);
  for (int i = 0; i < n; ++i) x[i] = answer[i];
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"
