/// Product y = A x of cuSPARSE, loaded at run time. The types are pointers and numbers, so no
/// header of cuSPARSE is needed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/device/shared_library.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

/// Enumerators of cuSPARSE that are used here.
namespace cusparse {

inline constexpr int kSuccess = 0;
inline constexpr int kNonTranspose = 0;      ///< cusparseOperation_t
inline constexpr int kZeroBased = 0;         ///< cusparseIndexBase_t
inline constexpr int kInt32 = 2;             ///< cusparseIndexType_t
inline constexpr int kRowMajor = 2;          ///< cusparseOrder_t
inline constexpr int kDefaultAlgorithm = 0;  ///< cusparseSpMVAlg_t

/// cudaDataType
template <class Real>
inline constexpr int kDataType = -1;
template <>
inline constexpr int kDataType<float> = 0;
template <>
inline constexpr int kDataType<double> = 1;

}  // namespace cusparse

class Cusparse {
 public:
  /// Loads the library of CUDA 13 or 12 from the system or a toolkit, or the one that the
  /// environment variable NODIA_CUSPARSE names.
  /// @throws RuntimeError if the library or a function is missing
  Cusparse();
  /// @param name  name for the system's loader, or a path
  explicit Cusparse(const std::string& name);

  const std::string& name() const { return library_.name(); }

  /// Throws RuntimeError `function (what): reason` unless the status is success.
  void check(int status, const char* function, const std::string& what) const;

  // Functions of cusparse.h; each returns a status.
  int (*create)(void** handle);
  int (*destroy)(void* handle);
  int (*set_stream)(void* handle, DeviceStream stream);
  int (*create_vector)(void** vector, std::int64_t size, void* values, int type);
  int (*destroy_vector)(void* vector);
  int (*create_bsr)(void** matrix, std::int64_t block_rows, std::int64_t block_columns,
                    std::int64_t blocks, std::int64_t rows_of_block, std::int64_t columns_of_block,
                    void* row_offsets, void* columns, void* values, int offset_type,
                    int column_type, int base, int type, int order);
  int (*create_sliced_ell)(void** matrix, std::int64_t rows, std::int64_t columns,
                           std::int64_t nonzeros, std::int64_t values_size, std::int64_t slice_size,
                           void* slice_offsets, void* column_indices, void* values, int offset_type,
                           int column_type, int base, int type);
  int (*destroy_matrix)(void* matrix);
  int (*product_buffer_size)(void* handle, int operation, const void* alpha, const void* matrix,
                             const void* x, const void* beta, void* y, int type, int algorithm,
                             std::size_t* bytes);
  int (*product)(void* handle, int operation, const void* alpha, const void* matrix, const void* x,
                 const void* beta, void* y, int type, int algorithm, void* buffer);

 private:
  explicit Cusparse(SharedLibrary library);

  SharedLibrary library_;
  const char* (*error_string_)(int status);
};

}  // namespace nodia
