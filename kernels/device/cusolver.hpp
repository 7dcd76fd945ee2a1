/// cuSOLVER, NVIDIA's factorisations, opened when a program asks for it: its sparse Cholesky solve.
/// Its types are pointers and numbers here, so that no header of it is needed.
#pragma once

#include <string>

#include "kernels/device/shared_library.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

/// Its enumerations, as far as they are used.
namespace cusolver {

inline constexpr int kSuccess = 0;
inline constexpr int kReorderByMetis = 3;  ///< of the argument `reorder`

}  // namespace cusolver

class Cusolver {
 public:
  /// The library of CUDA 13 or 12, where the system has its libraries or a toolkit; where the
  /// environment's NODIA_CUSOLVER names one, that.
  /// @throws RuntimeError where there is none, or a function is missing
  Cusolver();
  /// @param name  as the system's linker finds it, or a path
  explicit Cusolver(const std::string& name);

  const std::string& name() const { return library_.name(); }

  /// Throws RuntimeError `function (what): reason` unless the status is success.
  void check(int status, const char* function, const std::string& what) const;

  // As in cusolverSp.h and cusparse.h, which it stands on; every one returns a status.
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, DeviceStream stream);
  int (*create_matrix)(void** matrix);
  int (*destroy_matrix)(void* matrix);
  /// Analysis, factorisation and substitution; waits for the end.
  int (*solve_by_cholesky)(void* handle, int n, int n_value, void* matrix, const double* value,
                           const int* begin, const int* column, const double* b, double tolerance,
                           int reorder, double* x, int* singular);

 private:
  explicit Cusolver(SharedLibrary library);

  SharedLibrary library_;
};

}  // namespace nodia
