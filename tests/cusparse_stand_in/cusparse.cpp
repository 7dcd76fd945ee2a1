/// A library with the functions of cuSPARSE that nodia calls, declared by the real header, so that
/// the compiler holds them to it. It checks what it is given and multiplies in the host's memory.
#include <cusparse.h>

#include <cstdint>
#include <string>

#include "tests/support/cusparse_stand_in.hpp"

using nodia::test::CusparseStandIn;
using nodia::test::kStandInWorkspaceBytes;

extern "C" CusparseStandIn nodia_stand_in;
CusparseStandIn nodia_stand_in;

struct cusparseContext {
  cudaStream_t stream = nullptr;
};

struct cusparseDnVecDescr {
  std::int64_t size;
  void* values;
  cudaDataType type;
};

struct cusparseSpMatDescr {
  cusparseFormat_t format;
  std::int64_t rows, columns, nonzeros, values_size, slice;  ///< in blocks where it is BSR
  const std::int32_t *begin, *column;
  const void* values;
  cudaDataType type;
};

namespace {

/// Thrown inside, told outside as INVALID_VALUE.
struct Broken {
  const char* rule;
};

void demand(bool good, const char* rule) {
  if (!good) throw Broken{rule};
}

void demand_memory(const void* begin, std::size_t bytes, const char* rule) {
  demand(begin != nullptr, rule);
  if (nodia_stand_in.on_device != nullptr) demand(nodia_stand_in.on_device(begin, bytes), rule);
}

std::size_t bytes_of(cudaDataType type) {
  return type == CUDA_R_64F ? sizeof(double) : sizeof(float);
}

template <class Call>
cusparseStatus_t answer(const char* name, const Call& call) {
  if (nodia_stand_in.failing != nullptr && name == std::string(nodia_stand_in.failing))
    return static_cast<cusparseStatus_t>(nodia_stand_in.status);
  try {
    call();
  } catch (const Broken& broken) {
    if (*nodia_stand_in.complaint == '\0') nodia_stand_in.complaint = broken.rule;
    return CUSPARSE_STATUS_INVALID_VALUE;
  }
  return CUSPARSE_STATUS_SUCCESS;
}

template <class Object>
void destroy(const Object* object) {
  demand(object != nullptr, "what is destroyed was made");
  delete object;
  --nodia_stand_in.n_live;
}

template <class Object, class Pointer>
void hand_over(const Object& object, Pointer* out) {
  demand(out != nullptr, "room for the descriptor");
  *out = new Object(object);
  ++nodia_stand_in.n_live;
}

void check_type(cudaDataType type) {
  demand(type == CUDA_R_32F || type == CUDA_R_64F, "floats or doubles");
}

void check_indices(cusparseIndexType_t offsets, cusparseIndexType_t columns,
                   cusparseIndexBase_t base) {
  demand(offsets == CUSPARSE_INDEX_32I && columns == CUSPARSE_INDEX_32I, "indices of 32 bits");
  demand(base == CUSPARSE_INDEX_BASE_ZERO, "indices from zero");
}

void check_bsr(const cusparseSpMatDescr& m) {
  demand_memory(m.begin, (m.rows + 1) * sizeof(std::int32_t), "row offsets on the device");
  demand_memory(m.column, m.nonzeros * sizeof(std::int32_t), "columns on the device");
  demand_memory(m.values, 9 * m.nonzeros * bytes_of(m.type), "values on the device");
  demand(m.begin[0] == 0 && m.begin[m.rows] == m.nonzeros, "row offsets from 0 to the blocks");
  for (std::int64_t i = 0; i < m.rows; ++i)
    for (std::int32_t k = m.begin[i]; k < m.begin[i + 1]; ++k) {
      demand(m.column[k] >= 0 && m.column[k] < m.columns, "columns of the matrix");
      demand(k == m.begin[i] || m.column[k - 1] < m.column[k], "columns ascend");
    }
}

void check_sliced_ell(const cusparseSpMatDescr& m) {
  demand(m.rows % m.slice == 0, "whole slices");
  const std::int64_t n_slice = m.rows / m.slice;
  demand_memory(m.begin, (n_slice + 1) * sizeof(std::int32_t), "slice offsets on the device");
  demand(m.begin[0] == 0 && m.begin[n_slice] == m.values_size,
         "slice offsets from 0 to the values, padding included");
  demand_memory(m.column, m.values_size * sizeof(std::int32_t), "columns on the device");
  demand_memory(m.values, m.values_size * bytes_of(m.type), "values on the device");
  std::int64_t n = 0;
  for (std::int64_t s = 0; s < n_slice; ++s) {
    demand((m.begin[s + 1] - m.begin[s]) % m.slice == 0, "slices of whole columns");
    for (std::int64_t k = m.begin[s]; k < m.begin[s + 1]; ++k) {
      const std::int32_t j = m.column[k];
      demand(j >= -1 && j < m.columns, "columns of the matrix, or -1");
      n += j >= 0;
      const bool first = k < m.begin[s] + m.slice;
      demand(j < 0 || first || (m.column[k - m.slice] >= 0 && m.column[k - m.slice] < j),
             "columns ascend, padding comes last");
    }
  }
  demand(n == m.nonzeros, "as many columns as nonzeros");
}

template <class Real>
void multiply(const cusparseSpMatDescr& m, const Real* x, Real* y) {
  const auto* value = static_cast<const Real*>(m.values);
  if (m.format == CUSPARSE_FORMAT_BSR) {
    for (std::int64_t i = 0; i < 3 * m.rows; ++i) {
      Real sum = 0;
      for (std::int32_t k = m.begin[i / 3]; k < m.begin[i / 3 + 1]; ++k)
        for (int c = 0; c < 3; ++c)
          sum += value[9 * std::int64_t{k} + 3 * (i % 3) + c] * x[3 * m.column[k] + c];
      y[i] = sum;
    }
    return;
  }
  for (std::int64_t i = 0; i < m.rows; ++i) {
    Real sum = 0;
    for (std::int64_t k = m.begin[i / m.slice] + i % m.slice; k < m.begin[i / m.slice + 1];
         k += m.slice)
      if (m.column[k] >= 0) sum += value[k] * x[m.column[k]];
    y[i] = sum;
  }
}

void check_product(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                   const cusparseSpMatDescr* m, const cusparseDnVecDescr* x, const void* beta,
                   const cusparseDnVecDescr* y, cudaDataType type, cusparseSpMVAlg_t algorithm) {
  demand(handle != nullptr && handle->stream != nullptr, "a stream of the caller's");
  demand(operation == CUSPARSE_OPERATION_NON_TRANSPOSE, "A itself");
  demand(m != nullptr && x != nullptr && y != nullptr, "descriptors");
  demand(m->type == type && x->type == type && y->type == type, "one number type");
  demand(algorithm == CUSPARSE_SPMV_ALG_DEFAULT, "the format's own algorithm");
  const std::int64_t block = m->format == CUSPARSE_FORMAT_BSR ? 3 : 1;
  demand(x->size == block * m->columns && y->size == block * m->rows, "sizes of x and y");
  demand(x->values != y->values, "x and y apart");
  demand(type == CUDA_R_64F
             ? *static_cast<const double*>(alpha) == 1 && *static_cast<const double*>(beta) == 0
             : *static_cast<const float*>(alpha) == 1 && *static_cast<const float*>(beta) == 0,
         "y = A x");
}

}  // namespace

cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return answer("cusparseCreate", [&] { hand_over(cusparseContext{}, handle); });
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  return answer("cusparseDestroy", [&] { destroy(handle); });
}

const char* cusparseGetErrorString(cusparseStatus_t status) {
  return status == CUSPARSE_STATUS_NOT_SUPPORTED   ? "operation not supported"
         : status == CUSPARSE_STATUS_INVALID_VALUE ? "invalid value"
                                                   : nullptr;
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
  return answer("cusparseSetStream", [&] {
    demand(handle != nullptr, "a handle");
    handle->stream = stream;
    nodia_stand_in.stream = stream;
  });
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, std::int64_t size, void* values,
                                     cudaDataType type) {
  return answer("cusparseCreateDnVec", [&] {
    check_type(type);
    demand_memory(values, size * bytes_of(type), "a vector on the device");
    hand_over(cusparseDnVecDescr{size, values, type}, vector);
  });
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return answer("cusparseDestroyDnVec", [&] { destroy(vector); });
}

cusparseStatus_t cusparseCreateBsr(cusparseSpMatDescr_t* matrix, std::int64_t rows,
                                   std::int64_t columns, std::int64_t blocks,
                                   std::int64_t rows_of_block, std::int64_t columns_of_block,
                                   void* offsets, void* column, void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t column_type,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   cusparseOrder_t order) {
  return answer("cusparseCreateBsr", [&] {
    check_type(type);
    check_indices(offset_type, column_type, base);
    demand(rows_of_block == 3 && columns_of_block == 3, "3x3 blocks");
    demand(order == CUSPARSE_ORDER_ROW, "blocks by rows");
    const cusparseSpMatDescr m{CUSPARSE_FORMAT_BSR,
                               rows,
                               columns,
                               blocks,
                               9 * blocks,
                               0,
                               static_cast<std::int32_t*>(offsets),
                               static_cast<std::int32_t*>(column),
                               values,
                               type};
    check_bsr(m);
    hand_over(m, matrix);
  });
}

cusparseStatus_t cusparseCreateSlicedEll(cusparseSpMatDescr_t* matrix, std::int64_t rows,
                                         std::int64_t columns, std::int64_t nonzeros,
                                         std::int64_t values_size, std::int64_t slice,
                                         void* offsets, void* column, void* values,
                                         cusparseIndexType_t offset_type,
                                         cusparseIndexType_t column_type, cusparseIndexBase_t base,
                                         cudaDataType type) {
  return answer("cusparseCreateSlicedEll", [&] {
    check_type(type);
    check_indices(offset_type, column_type, base);
    demand(slice > 0, "slices of rows");
    const cusparseSpMatDescr m{CUSPARSE_FORMAT_SLICED_ELLPACK,
                               rows,
                               columns,
                               nonzeros,
                               values_size,
                               slice,
                               static_cast<std::int32_t*>(offsets),
                               static_cast<std::int32_t*>(column),
                               values,
                               type};
    check_sliced_ell(m);
    hand_over(m, matrix);
  });
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return answer("cusparseDestroySpMat", [&] { destroy(matrix); });
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t operation,
                                         const void* alpha, cusparseConstSpMatDescr_t matrix,
                                         cusparseConstDnVecDescr_t x, const void* beta,
                                         cusparseDnVecDescr_t y, cudaDataType type,
                                         cusparseSpMVAlg_t algorithm, std::size_t* bytes) {
  return answer("cusparseSpMV_bufferSize", [&] {
    check_product(handle, operation, alpha, matrix, x, beta, y, type, algorithm);
    *bytes = kStandInWorkspaceBytes;
  });
}

#if !defined(NODIA_WITHOUT_PRODUCT)
cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                              const void* alpha, cusparseConstSpMatDescr_t matrix,
                              cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
                              cudaDataType type, cusparseSpMVAlg_t algorithm, void* workspace) {
  return answer("cusparseSpMV", [&] {
    check_product(handle, operation, alpha, matrix, x, beta, y, type, algorithm);
    demand_memory(workspace, kStandInWorkspaceBytes, "the workspace on the device");
    for (std::size_t k = 0; k < kStandInWorkspaceBytes; ++k)
      static_cast<unsigned char*>(workspace)[k] = 1;
    if (type == CUDA_R_64F)
      multiply(*matrix, static_cast<const double*>(x->values), static_cast<double*>(y->values));
    else
      multiply(*matrix, static_cast<const float*>(x->values), static_cast<float*>(y->values));
    ++nodia_stand_in.n_product;
  });
}
#endif
