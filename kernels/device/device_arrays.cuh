/// Tables and sorts of arrays in device memory, for make_gather_lists. Separate from
/// device_backend.cuh, because Thrust compiles slowly.
#pragma once

#include "kernels/device/device_backend.cuh"

#if !defined(NODIA_DEVICE_BACKEND)

#include <thrust/execution_policy.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/tabulate.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/device/device_memory.hpp"
#include "kernels/device/stream.cuh"

namespace nodia {

/// Runs Thrust algorithms. Every call waits for its end, so its memory may be freed afterwards.
class DeviceArrays {
 public:
  /// @param what  name of the work in errors
  DeviceArrays(const char* what, DeviceStream stream) : what_(what), stream_(cuda_stream(stream)) {}

  template <class T, class F>
  void tabulate(T* out, int n, const F& f) const {
    call([&] { thrust::tabulate(thrust::cuda::par.on(stream_), out, out + n, f); });
  }
  void stable_sort_by_key(std::uint64_t* key, int n, std::int32_t* value) const {
    SortMemory memory;
    call([&] {
      thrust::stable_sort_by_key(thrust::cuda::par(memory).on(stream_), key, key + n, value);
    });
  }

 private:
  /// Memory of Thrust for a sort.
  struct SortMemory {
    using value_type = char;
    char* allocate(std::ptrdiff_t n) {
      return static_cast<char*>(device_allocate(static_cast<std::size_t>(n)));
    }
    void deallocate(char* memory, std::size_t) { device_free(memory); }
  };

  /// Calls Thrust. Converts its errors to RuntimeError and resets them.
  template <class Call>
  void call(const Call& thrust_call) const {
    try {
      thrust_call();
    } catch (const thrust::system_error& error) {
      static_cast<void>(cudaGetLastError());
      throw RuntimeError(std::string("Thrust (") + what_ + "): " + error.what());
    }
  }

  const char* what_;
  cudaStream_t stream_;
};

}  // namespace nodia

#endif
