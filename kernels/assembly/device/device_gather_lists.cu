#include "kernels/assembly/device/device_gather_lists.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/tabulate.h>

#include <string>

#include "kernels/device/stream.cuh"

namespace nodia {
namespace {

constexpr const char* kWhat = "lists of soft bodies";

/// Thrust's memory for a sort.
struct SortMemory {
  using value_type = char;
  char* allocate(std::ptrdiff_t n) {
    return static_cast<char*>(device_allocate(static_cast<std::size_t>(n)));
  }
  void deallocate(char* memory, std::size_t) { device_free(memory); }
};

/// Every call waits for its end, before which its memory must not be freed.
struct ThrustArrays {
  cudaStream_t stream;

  template <class T, class F>
  void tabulate(T* out, int n, const F& f) const {
    thrust::tabulate(thrust::cuda::par.on(stream), out, out + n, f);
  }
  void stable_sort_by_key(std::uint64_t* key, int n, std::int32_t* value) const {
    SortMemory memory;
    thrust::stable_sort_by_key(thrust::cuda::par(memory).on(stream), key, key + n, value);
  }
};

}  // namespace

void gather_lists_on_device(const AssemblyView& model, const GatherLists& lists,
                            DeviceStream stream) {
  try {
    make_gather_lists(ThrustArrays{cuda_stream(stream)}, model, lists);
  } catch (const thrust::system_error& error) {
    static_cast<void>(cudaGetLastError());
    throw RuntimeError(std::string("Thrust (") + kWhat + "): " + error.what());
  }
}

}  // namespace nodia
