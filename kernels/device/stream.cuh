/// Streams and moments of their work, owned; for CUDA files only.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/device/check.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Blocks that fill the current device: more would only queue, and kernels stride over the rest of
/// their items.
/// @param what  named where CUDA fails; likewise below
inline int resident_blocks(const char* what) {
  int device = 0, n_multiprocessor = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice", what);
  check_cuda(cudaDeviceGetAttribute(&n_multiprocessor, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute", what);
  return n_multiprocessor * (2048 / kBlockLanes);
}

class OwnedStream {
 public:
  explicit OwnedStream(const char* what) {
    check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate", what);
  }
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  ~OwnedStream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  DeviceStream get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment in a stream's work.
class StreamEvent {
 public:
  explicit StreamEvent(const char* what) : what_(what) {
    check_cuda(cudaEventCreate(&event_), "cudaEventCreate", what_);
  }
  StreamEvent(const StreamEvent&) = delete;
  StreamEvent& operator=(const StreamEvent&) = delete;
  ~StreamEvent() { static_cast<void>(cudaEventDestroy(event_)); }
  void record(const OwnedStream& stream) {
    check_cuda(cudaEventRecord(event_, stream.get()), "cudaEventRecord", what_);
  }
  /// Both must have passed.
  double s_since(const StreamEvent& start) const {
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime", what_);
    return 1e-3 * ms;
  }

 private:
  const char* what_;
  cudaEvent_t event_ = nullptr;
};

}  // namespace nodia
