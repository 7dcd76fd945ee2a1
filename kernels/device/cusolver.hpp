/// Sparse Cholesky solve of cuSOLVER, loaded at run time. The types are pointers and numbers, so no
/// header of cuSOLVER is needed.
#pragma once

#include <string>

#include "kernels/device/shared_library.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

/// Enumerators of cuSOLVER that are used here.
namespace cusolver {

inline constexpr int kSuccess = 0;
inline constexpr int kReorderByMetis = 3;  ///< value of the argument `reorder`

}  // namespace cusolver

class Cusolver {
 public:
  /// Loads the library of CUDA 13 or 12 from the system or a toolkit, or the one that the
  /// environment variable NODIA_CUSOLVER names.
  /// @throws RuntimeError if the library or a function is missing
  Cusolver();
  /// @param name  name for the system's loader, or a path
  explicit Cusolver(const std::string& name);

  const std::string& name() const { return library_.name(); }

  /// Throws RuntimeError `function (what): reason` unless the status is success.
  void check(int status, const char* function, const std::string& what) const;

  // Functions of cusolverSp.h, and of cusparse.h for matrices; each returns a status.
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, DeviceStream stream);
  int (*create_matrix)(void** matrix);
  int (*destroy_matrix)(void* matrix);
  /// Analyses, factorises and substitutes; waits for the end.
  int (*solve_by_cholesky)(void* handle, int n, int n_value, void* matrix, const double* value,
                           const int* begin, const int* column, const double* b, double tolerance,
                           int reorder, double* x, int* singular);

 private:
  explicit Cusolver(SharedLibrary library);

  SharedLibrary library_;
};

}  // namespace nodia
