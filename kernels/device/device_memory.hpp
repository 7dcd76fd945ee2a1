/// Device memory without CUDA types. Every failure throws RuntimeError. Copies are ordered in a
/// stream, after all earlier launches.
#pragma once

#include <cstddef>

#include "kernels/device/stream.hpp"

namespace nodia {

/// Allocates memory of the calling thread's device.
/// @throws RuntimeError of throw_no_room if memory does not suffice
void* device_allocate(std::size_t bytes);
/// Frees memory after the work that uses it.
void device_free(void* memory) noexcept;

/// Throws RuntimeError with the requested and the free size [bytes].
[[noreturn]] void throw_no_room(std::size_t asked, std::size_t free);

/// Copies to the device. Returns when the host's memory may change.
void copy_to_device(void* device, const void* host, std::size_t bytes,
                    DeviceStream stream = nullptr);
/// Copies on the device, asynchronously.
void copy_on_device(void* to, const void* from, std::size_t bytes, DeviceStream stream = nullptr);
/// Sets all bytes to zero, asynchronously.
void device_clear(void* memory, std::size_t bytes, DeviceStream stream = nullptr);
/// Copies to the host; waits for the stream.
void copy_to_host(void* host, const void* device, std::size_t bytes, DeviceStream stream = nullptr);

/// Page-locked memory of the host, which the device accesses asynchronously.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes);
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { free(data_); }
  void* data() { return data_; }
  const void* data() const { return data_; }
  /// Copies to bytes [begin, begin + bytes), asynchronously; valid after synchronize_device.
  void fetch(const void* device, std::size_t bytes, DeviceStream stream, std::size_t begin = 0);
  /// Sends bytes [begin, begin + bytes), asynchronously; they may change after synchronize_device.
  void send(void* device, std::size_t begin, std::size_t bytes, DeviceStream stream) const;

 private:
  static void free(void* data) noexcept;

  void* data_ = nullptr;
};

}  // namespace nodia
