/// Order of work on the device, seen from the host without CUDA types.
#pragma once

#include <string>

struct CUstream_st;

namespace nodia {

/// A CUDA stream; null is the calling thread's own.
using DeviceStream = CUstream_st*;

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

/// Waits for the stream; throws RuntimeError naming `what` where its work failed.
void synchronize_device(const std::string& what, DeviceStream stream = nullptr);

}  // namespace nodia
