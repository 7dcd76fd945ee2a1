/// Check of CUDA calls; for CUDA files only.
#pragma once

#include <cuda_runtime_api.h>

#include <string>

#include "kernels/core/error.hpp"

namespace nodia {

/// Throws RuntimeError `call (what): reason` unless `status` is success, and resets the error.
/// @param call  the CUDA function
/// @param what  the kernel, or the purpose of the call
inline void check_cuda(cudaError_t status, const char* call, const std::string& what) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw RuntimeError(std::string(call) + " (" + what + "): " + cudaGetErrorString(status));
}

}  // namespace nodia
