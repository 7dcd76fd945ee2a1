/// A x = b on the device by cuSOLVER's sparse Cholesky: a baseline that factorises.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/core/vec3.hpp"
#include "kernels/device/cusolver.hpp"
#include "kernels/linalg/block_csr.hpp"

namespace nodia {

/// A matrix of numbers by rows, columns ascending.
struct ScalarRows {
  std::vector<int> begin;   ///< [n + 1]
  std::vector<int> column;  ///< [n_value]
  std::vector<double> value;
};

/// Every block as nine numbers.
ScalarRows scalar_rows(const BlockCsrView<double>& A);

/// Largest |A x - b| over the largest |b|; infinite where it is not finite.
double relative_residual(const ScalarRows& A, const std::vector<double>& x,
                         const std::vector<double>& b);

/// Holds A, b and x on the device.
class CusolverCholesky {
 public:
  /// @param library  lives longer, as does the stream
  /// @throws RuntimeError with the library's reason where it refuses
  CusolverCholesky(const Cusolver& library, const ScalarRows& A, const std::vector<double>& b,
                   DeviceStream stream);
  ~CusolverCholesky();
  /// Analysis, factorisation and substitution; waits for their end.
  /// @throws RuntimeError where the library finds A singular
  void solve();
  std::vector<double> x() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace nodia
