/// CUDA streams and events; for CUDA files only.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Converts to a CUDA stream. The legacy stream is not used: it ends captures of other threads.
inline cudaStream_t cuda_stream(DeviceStream stream) {
  return stream != nullptr ? stream : cudaStreamPerThread;
}

/// Multiprocessors of the current device.
/// @param what  name of the work in errors, also below
inline int multiprocessors(const char* what) {
  int device = 0, n = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice", what);
  check_cuda(cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute", what);
  return n;
}

/// Largest number of blocks of any kernel that the current device holds at once.
inline int most_resident_blocks(const char* what) {
  return multiprocessors(what) * (2048 / kBlockLanes);
}

/// Event in a stream.
class StreamEvent {
 public:
  explicit StreamEvent(const char* what) : what_(what) {
    check_cuda(cudaEventCreate(&event_), "cudaEventCreate", what_);
  }
  StreamEvent(const StreamEvent&) = delete;
  StreamEvent& operator=(const StreamEvent&) = delete;
  ~StreamEvent() { static_cast<void>(cudaEventDestroy(event_)); }
  void record(DeviceStream stream) {
    check_cuda(cudaEventRecord(event_, cuda_stream(stream)), "cudaEventRecord", what_);
  }
  /// Time since `start` [s]. Waits for this event; `start` must have been recorded before it.
  double s_since(const StreamEvent& start) const {
    float ms = 0;
    check_cuda(cudaEventSynchronize(event_), "cudaEventSynchronize", what_);
    check_cuda(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime", what_);
    return 1e-3 * ms;
  }

 private:
  const char* what_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace nodia
