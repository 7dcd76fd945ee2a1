/// Order of work on the device, seen from the host without CUDA types.
#pragma once

#include <string>

struct CUevent_st;
struct CUstream_st;

namespace nodia {

/// A CUDA stream; null is the calling thread's own.
using DeviceStream = CUstream_st*;

/// Kernels and copies in the order of a stream.
struct DeviceQueue {
  DeviceStream stream = nullptr;
  /// Waits for every kernel, so that the error of a fault names the kernel.
  bool waits_for_kernels = false;
};

/// A stream of the calling thread's device that waits for no other.
class OwnedStream {
 public:
  /// @param what  named where CUDA fails
  explicit OwnedStream(const char* what);
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  ~OwnedStream() { destroy(stream_); }
  DeviceStream get() const { return stream_; }

 private:
  static void destroy(DeviceStream stream) noexcept;

  DeviceStream stream_ = nullptr;
};

/// A moment in the work of a stream.
class OwnedEvent {
 public:
  /// @param what  named where CUDA fails
  explicit OwnedEvent(const char* what);
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;
  ~OwnedEvent() { destroy(event_); }
  /// Behind all that is in the stream now, and no longer where it was.
  void record(DeviceStream stream);
  /// Waits for what lies before it in its stream.
  /// @throws RuntimeError naming `what` where work of the stream failed
  void wait(const std::string& what) const;

 private:
  static void destroy(CUevent_st* event) noexcept;

  CUevent_st* event_ = nullptr;
};

/// Waits for the stream; throws RuntimeError naming `what` where its work failed.
void synchronize_device(const std::string& what, DeviceStream stream = nullptr);

}  // namespace nodia
