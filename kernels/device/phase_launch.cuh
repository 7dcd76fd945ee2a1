/// Device execution of the kernels of kernels/launch/kernel.hpp.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cuda/atomic>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/launch/decision.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/loop_condition.hpp"
#include "kernels/launch/resident_blocks.hpp"

namespace nodia {

namespace detail {

inline constexpr int kWarpLanes = 32;

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
        // From here on only the first warp reads and has written.
        if (lanes > kWarpLanes)
          __syncthreads();
        else if (lane < kWarpLanes)
          __syncwarp();
      }
      __syncthreads();
    } else {
      if (lane < kShape.lanes)
        kernel.template run<phase, OneLane>(item, lane, shared, DirectMemory{});
      __syncthreads();
    }
    run_phases<phase + kAlike>(kernel, item, shared);
  }
}

/// Memory order of the tickets by which the blocks of a group find the last one among them.
///
/// Releasing makes the block's writes visible to the block that sees its ticket. Only the last
/// block acquires: an acquire fence empties the multiprocessor's first-level cache, which holds the
/// vectors that its other blocks gather.
struct TicketOrder {
  bool releases = true;
  bool acquires = true;
};

/// Order of a decision's tickets: both, unless the decision names a weaker one as its kTicketOrder.
/// Only the negative controls of ticket_litmus.cu do.
template <class Decision>
constexpr TicketOrder ticket_order() {
  if constexpr (requires { Decision::kTicketOrder; })
    return Decision::kTicketOrder;
  else
    return {};
}

/// Increments the ticket. Returns true in the block that completes n; this block sees all writes of
/// the other blocks before their tickets, and the ticket is reset to zero.
/// @param n_ended  increment of this block, > 0; the first lane's value counts
template <TicketOrder order>
__device__ __forceinline__ bool is_last(std::int32_t* ticket, int n_ended, int n) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    constexpr auto kOrder =
        order.releases ? cuda::memory_order_release : cuda::memory_order_relaxed;
    const cuda::atomic_ref<std::int32_t, cuda::thread_scope_device> count(*ticket);
    last = count.fetch_add(n_ended, kOrder) == n - n_ended;
    if (last) {
      if constexpr (order.acquires)
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
      count.store(0, cuda::memory_order_relaxed);
    }
  }
  __syncthreads();
  return last;
}

/// Runs items blockIdx.x, blockIdx.x + gridDim.x, ... in a block.
/// @param there  address of the number of items in device memory; null: use n_item
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

/// Runs a decision. Not inlined, because it is rare and would raise the register count of its
/// kernel. It has its own shared memory, because passing the kernel's address would make every
/// shared load generic.
template <class Decision>
__device__ __noinline__ void decide(const Decision decision, int group) {
  __shared__ typename Decision::Shared shared;
  run_phases<0>(decision, group, shared);
}

/// Runs the items; the block that ends the last item of a group decides on the group. A block takes
/// one ticket for consecutive items of a group.
template <class Kernel, class Decision>
__global__ void __launch_bounds__(kBlockLanes, least_resident_blocks<Kernel>())
    deciding_kernel(const Kernel kernel, const Decision decision, const std::int32_t* there) {
  __shared__ typename Kernel::Shared shared;
  __shared__ int n_ended;  // count for the group in the first lane; saves registers
  if (threadIdx.x == 0) n_ended = 0;
  const auto run = [&](int item) {
    if (threadIdx.x == 0) ++n_ended;
    if (!kernel.enabled(item, DirectMemory{})) return;
    __syncthreads();
    run_phases<0>(kernel, item, shared);
  };
  const auto ended = [&](int group) {
    if (decision.enabled(group, DirectMemory{}) &&
        is_last<ticket_order<Decision>()>(decision.ticket(group), threadIdx.x == 0 ? n_ended : 0,
                                          decision.group_size(group)))
      decide(decision, group);
    if (threadIdx.x == 0) n_ended = 0;
  };
  run_in_groups(
      static_cast<int>(blockIdx.x), static_cast<int>(gridDim.x), *there,
      [&](int item) { return decision.group_of(item, DirectMemory{}); }, run, ended);
}

/// Condition of a loop in a graph; null: none.
struct LoopEnd {
  cudaGraphConditionalHandle handle{};
  LoopCondition* condition = nullptr;
};

/// Runs the items; the block that ends last decides, and evaluates whether another body of the loop
/// follows. By then every block has read the number of items.
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
  if (!is_last<ticket_order<Decision>()>(decision.ticket(), 1, static_cast<int>(gridDim.x))) return;
  decide(decision, 0);
  if (threadIdx.x == 0 && end.condition != nullptr)
    cudaGraphSetConditional(end.handle, another_body(end.condition) ? 1U : 0U);
}

}  // namespace detail

/// Blocks of a kernel that the current device holds at once. More blocks would only queue, because
/// kernels stride over the other items.
template <class... Parameter>
int resident_blocks(const char* name, void (*kernel)(Parameter...)) {
  int each = 0;
  check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kBlockLanes, 0),
             "cudaOccupancyMaxActiveBlocksPerMultiprocessor", name);
  return std::max(1, each) * multiprocessors(name);
}

/// Launches a kernel asynchronously. A failed launch throws RuntimeError with the kernel's name.
/// The next call that waits for the stream throws an error for a fault in the kernel; it names the
/// kernel only if the queue waits for each kernel (DeviceQueue::waits_for_kernels).
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
