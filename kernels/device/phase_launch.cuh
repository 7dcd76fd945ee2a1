/// Running the kernels of kernels/launch/kernel.hpp on the device.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "kernels/launch/resident_blocks.hpp"

namespace nodia {

namespace detail {

template <int phase, class Kernel>
__device__ __forceinline__ void run_phases(const Kernel& kernel, int item,
                                           typename Kernel::Shared& shared) {
  if constexpr (phase < Kernel::kPhases) {
    constexpr PhaseShape kShape = Kernel::shape(phase);
    constexpr int kAlike = n_alike<Kernel>(phase);
    const int lane = static_cast<int>(threadIdx.x);
    if constexpr (is_repeated<Kernel>(phase)) {
      int n_lane = 0;
#pragma unroll 1
      for (int round = 0; (n_lane = kernel.template n_lane<phase>(item, round, DirectMemory{})) > 0;
           ++round) {
        if (lane < n_lane)
          kernel.template run_round<phase, OneLane>(item, round, lane, shared, DirectMemory{});
        __syncthreads();
      }
    } else if constexpr (kAlike > 1) {
#pragma unroll 1
      for (int lanes = kShape.lanes; lanes > kShape.lanes >> kAlike; lanes /= 2) {
        if (lane < lanes)
          kernel.template run_alike<phase, OneLane>(item, lanes, lane, shared, DirectMemory{});
        __syncthreads();
      }
    } else {
      if (lane < kShape.lanes)
        kernel.template run<phase, OneLane>(item, lane, shared, DirectMemory{});
      __syncthreads();
    }
    run_phases<phase + kAlike>(kernel, item, shared);
  }
}

/// Whether this block is the last of n to get here; it then sees what the others wrote before they
/// did. The ticket is zero again.
static __device__ __forceinline__ bool is_last(std::int32_t* ticket, int n) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();  // what the block wrote before its ticket, what others wrote after theirs
    last = atomicAdd(ticket, 1) == n - 1;
    if (last) *ticket = 0;
    __threadfence();
  }
  __syncthreads();
  return last;
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

/// Out of line: a decision is rare, and would set the number of registers of the kernel that it
/// follows. What it shares is its own: an address of shared memory that is handed over would make
/// every load of the kernel a generic one.
template <class Decision>
__device__ __noinline__ void decide(const Decision decision, int group) {
  __shared__ typename Decision::Shared shared;
  run_phases<0>(decision, group, shared);
}

/// The same; the block that ends the last item of a group decides on the group.
template <class Kernel, class Decision>
__global__ void __launch_bounds__(kBlockLanes, least_resident_blocks<Kernel>())
    deciding_kernel(const Kernel kernel, const Decision decision, const std::int32_t* there) {
  __shared__ typename Kernel::Shared shared;
  const int n = *there;
  for (int item = static_cast<int>(blockIdx.x); item < n; item += static_cast<int>(gridDim.x)) {
    const int group = decision.group_of(item, DirectMemory{});
    const bool decides = decision.enabled(group, DirectMemory{});
    if (kernel.enabled(item, DirectMemory{})) {
      __syncthreads();
      run_phases<0>(kernel, item, shared);
    }
    if (decides && is_last(decision.ticket(group), decision.group_size(group)))
      decide(decision, group);
  }
}

/// The condition of a loop that a graph holds; null: there is none.
struct LoopEnd {
  cudaGraphConditionalHandle handle{};
  LoopCondition* condition = nullptr;
};

/// A block takes items as above; the block that ends last decides, and says whether another body of
/// the loop follows. By then every block has read the number of items.
template <class Kernel, class Decision>
__global__ void __launch_bounds__(kBlockLanes, least_resident_blocks<Kernel>())
    ending_kernel(const Kernel kernel, const Decision decision, const std::int32_t* there,
                  LoopEnd end) {
  __shared__ typename Kernel::Shared shared;
  const int n = *there;
  for (int item = static_cast<int>(blockIdx.x); item < n; item += static_cast<int>(gridDim.x))
    if (kernel.enabled(item, DirectMemory{})) {
      __syncthreads();
      run_phases<0>(kernel, item, shared);
    }
  if (!is_last(decision.ticket(), static_cast<int>(gridDim.x))) return;
  decide(decision, 0);
  if (threadIdx.x == 0 && end.condition != nullptr)
    cudaGraphSetConditional(end.handle, another_body(end.condition) ? 1U : 0U);
}

}  // namespace detail

/// Blocks of a kernel of the device's own that the current device holds at once: more would only
/// queue, and kernels stride over the rest of their items.
template <class... Parameter>
int resident_blocks(const char* name, void (*kernel)(Parameter...)) {
  int each = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kBlockLanes, 0),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor", name);
  return std::max(1, each) * multiprocessors(name);
}

/// Launches a kernel and returns without waiting. A failed launch throws RuntimeError that names
/// the kernel; a fault while it runs is thrown by the next call that waits for the stream, which
/// knows the kernel only if it waits for this one alone (LoopLauncher::checked).
/// @param n_block  blocks of the grid, > 0
template <class... Parameter, class... Argument>
void launch_blocks(const char* name, void (*kernel)(Parameter...), int n_block, DeviceStream stream,
                   const Argument&... argument) {
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(n_block));
  config.blockDim = dim3(kBlockLanes);
  config.stream = cuda_stream(stream);
  check_cuda(cudaLaunchKernelEx(&config, kernel, argument...), "cudaLaunchKernelEx", name);
}

}  // namespace nodia
