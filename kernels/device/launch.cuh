/// Definitions of device_launch.hpp: the one place of `<<<>>>`'s equivalent.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device/check.hpp"
#include "kernels/device/device_launch.hpp"

namespace nodia {

namespace detail {

inline constexpr int kBlockThreads = 256;

template <class Functor>
__global__ void __launch_bounds__(kBlockThreads) functor_kernel(int n, const Functor f) {
  const int stride = static_cast<int>(gridDim.x * blockDim.x);
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    f(static_cast<int>(i));
}

/// sum[c] := sum_of_chunk of chunk c. kSumLanes neighbouring threads share a chunk, and the
/// shuffles add the lanes in the same tree.
template <class Functor>
__global__ void __launch_bounds__(kBlockThreads)
    chunk_sum_kernel(int n, const Functor f, double* sum) {
  const int lane = static_cast<int>(threadIdx.x) % kSumLanes;
  const int c = static_cast<int>(blockIdx.x) * (kBlockThreads / kSumLanes) +
                static_cast<int>(threadIdx.x) / kSumLanes;
  const bool has_chunk = c < chunk_count(n);
  double p = 0;
  if (has_chunk) {
    const int end = chunk_end(c, n);
    for (int i = c * kChunk + lane; i < end; i += kSumLanes) p += f(i);
  }
  for (int step = 1; step < kSumLanes; step *= 2) p += __shfl_xor_sync(0xffffffffU, p, step);
  if (has_chunk && lane == 0) sum[c] = p;
}

/// Term i of a sum of values in memory.
struct StoredTerm {
  const double* value;
  __device__ double operator()(int i) const { return value[i]; }
};

inline cudaLaunchConfig_t launch_config(int n_block, DeviceStream stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(n_block));
  config.blockDim = dim3(kBlockThreads);
  config.stream = stream;
  return config;
}

/// Blocks that fill the current device: more would only queue, and the kernels stride over the
/// rest.
inline int resident_blocks(const char* name) {
  int device = 0, n_multiprocessor = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice", name);
  check_cuda(cudaDeviceGetAttribute(&n_multiprocessor, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute", name);
  return n_multiprocessor * (2048 / kBlockThreads);
}

inline void check_launch(const char* name, cudaError_t status, DeviceStream stream) {
  check_cuda(status, "cudaLaunchKernelEx", name);
#if !defined(NDEBUG)
  synchronize_device(name, stream);
#else
  static_cast<void>(stream);
#endif
}

template <class Functor>
void launch_chunk_sums(const char* name, int n, const Functor& f, double* sum,
                       DeviceStream stream) {
  constexpr int kChunksPerBlock = kBlockThreads / kSumLanes;
  const int n_block = (chunk_count(n) + kChunksPerBlock - 1) / kChunksPerBlock;
  const cudaLaunchConfig_t config = launch_config(n_block, stream);
  check_launch(name, cudaLaunchKernelEx(&config, chunk_sum_kernel<Functor>, n, f, sum), stream);
}

}  // namespace detail

template <class Functor>
void launch_device(const char* name, int n, const Functor& f, DeviceStream stream) {
  if (n <= 0) return;
  const int wanted = n / detail::kBlockThreads + 1;
  const int n_block = std::min(wanted, detail::resident_blocks(name));
  const cudaLaunchConfig_t config = detail::launch_config(n_block, stream);
  detail::check_launch(name, cudaLaunchKernelEx(&config, detail::functor_kernel<Functor>, n, f),
                       stream);
}

template <class Functor>
double ordered_sum_device(const char* name, int n, const Functor& f, double* workspace,
                          DeviceStream stream) {
  if (n <= 0) return 0;
  detail::launch_chunk_sums(name, n, f, workspace, stream);
  double* level = workspace;
  for (int count = chunk_count(n); count > 1; count = chunk_count(count)) {
    detail::launch_chunk_sums(name, count, detail::StoredTerm{level}, level + count, stream);
    level += count;
  }
  double sum = 0;
  check_cuda(cudaMemcpyAsync(&sum, level, sizeof sum, cudaMemcpyDeviceToHost, stream),
             "cudaMemcpyAsync", name);
  synchronize_device(name, stream);
  return sum;
}

}  // namespace nodia
