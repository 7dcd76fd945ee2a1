/// Running the kernels of kernels/launch/kernel.hpp on the device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/launch/kernel.hpp"

namespace nodia {

namespace detail {

template <int phase, class Kernel>
__device__ __forceinline__ void run_phases(const Kernel& kernel, int item,
                                           typename Kernel::Shared& shared) {
  if constexpr (phase < Kernel::kPhases) {
    constexpr PhaseShape kShape = Kernel::shape(phase);
    const int lane = static_cast<int>(threadIdx.x);
    if (lane < kShape.lanes)
      kernel.template run<phase, OneLane>(item, lane, shared, DirectMemory{});
    __syncthreads();
    run_phases<phase + 1>(kernel, item, shared);
  }
}

/// Blocks of a kernel that a multiprocessor must have registers for: its kLeastResidentBlocks,
/// where it has that; 0: as the compiler finds best.
template <class Kernel>
constexpr int least_resident_blocks() {
  if constexpr (requires { Kernel::kLeastResidentBlocks; })
    return Kernel::kLeastResidentBlocks;
  else
    return 0;
}

/// A block takes items blockIdx.x, blockIdx.x + gridDim.x, ...
/// @param there  where the number of items lies in device memory; null: it is n_item
template <class Kernel>
__global__ void __launch_bounds__(kBlockLanes, least_resident_blocks<Kernel>())
    phase_kernel(const Kernel kernel, int n_item, const std::int32_t* there) {
  __shared__ typename Kernel::Shared shared;
  const int n = there != nullptr ? *there : n_item;
  for (int item = static_cast<int>(blockIdx.x); item < n; item += static_cast<int>(gridDim.x))
    if (kernel.enabled(item, DirectMemory{})) {
      __syncthreads();
      run_phases<0>(kernel, item, shared);
    }
}

}  // namespace detail

/// Blocks of the kernel that the current device holds at once: more would only queue, and kernels
/// stride over the rest of their items.
template <class Kernel>
int resident_blocks(const char* name) {
  int each = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, detail::phase_kernel<Kernel>,
                                                           kBlockLanes, 0),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor", name);
  return std::max(1, each) * multiprocessors(name);
}

/// Launches a kernel over items of the device's memory and returns without waiting. A failed launch
/// throws RuntimeError that names the kernel; a fault while it runs is thrown by the next call that
/// waits for the stream, which knows the kernel only if it waits for this one alone
/// (LoopLauncher::checked).
/// @param n_block  blocks of the grid, > 0
template <class Kernel>
void launch_phases(const char* name, const Kernel& kernel, int n_item, const std::int32_t* there,
                   int n_block, DeviceStream stream) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(n_block));
  config.blockDim = dim3(kBlockLanes);
  config.stream = cuda_stream(stream);
  check_cuda(cudaLaunchKernelEx(&config, detail::phase_kernel<Kernel>, kernel, n_item, there),
             "cudaLaunchKernelEx", name);
}

}  // namespace nodia
