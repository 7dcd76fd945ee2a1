/// Tables and sorts of arrays in device memory, for make_gather_lists. Apart from
/// device_backend.cuh, because Thrust takes long to compile.
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

/// Every call waits for its end, before which its memory must not be freed.
class DeviceArrays {
 public:
  /// @param what  names the work in errors
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
  /// Thrust's memory for a sort.
  struct SortMemory {
    using value_type = char;
    char* allocate(std::ptrdiff_t n) {
      return static_cast<char*>(device_allocate(static_cast<std::size_t>(n)));
    }
    void deallocate(char* memory, std::size_t) { device_free(memory); }
  };

  /// Calls Thrust. Its errors become RuntimeError, and are not left for later calls to find.
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
