/// Streams and events of a device, without CUDA types.
#pragma once

#include <string>

struct CUevent_st;
struct CUstream_st;

namespace nodia {

/// CUDA stream; null is the calling thread's own.
using DeviceStream = CUstream_st*;

/// Queue of kernels and copies in the order of a stream.
struct DeviceQueue {
  DeviceStream stream = nullptr;
  /// True: wait for every kernel, so that an error names the kernel.
  bool waits_for_kernels = false;
};

/// Stream of the calling thread's device that does not synchronise with other streams.
class OwnedStream {
 public:
  /// @param what  name of the stream in errors
  explicit OwnedStream(const char* what);
  OwnedStream(const OwnedStream&) = delete;
  OwnedStream& operator=(const OwnedStream&) = delete;
  ~OwnedStream() { destroy(stream_); }
  DeviceStream get() const { return stream_; }

 private:
  static void destroy(DeviceStream stream) noexcept;

  DeviceStream stream_ = nullptr;
};

/// Event in a stream.
class OwnedEvent {
 public:
  /// @param what  name of the event in errors
  explicit OwnedEvent(const char* what);
  OwnedEvent(const OwnedEvent&) = delete;
  OwnedEvent& operator=(const OwnedEvent&) = delete;
  ~OwnedEvent() { destroy(event_); }
  /// Records the event after all present work of the stream; replaces an earlier record.
  void record(DeviceStream stream);
  /// Waits for the work before the event.
  /// @throws RuntimeError with `what` if work of the stream failed
  void wait(const std::string& what) const;

 private:
  static void destroy(CUevent_st* event) noexcept;

  CUevent_st* event_ = nullptr;
};

/// Waits for the stream. Throws RuntimeError with `what` if its work failed.
void synchronize_device(const std::string& what, DeviceStream stream = nullptr);

}  // namespace nodia
