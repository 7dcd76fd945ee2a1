/// Device memory, seen from the host without CUDA types. Every failure throws RuntimeError. Copies
/// are work of a stream: they follow what was launched in it before.
#pragma once

#include <cstddef>

#include "kernels/device/stream.hpp"

namespace nodia {

/// Of the calling thread's device.
/// @throws RuntimeError of throw_no_room where there is not as much
void* device_allocate(std::size_t bytes);
/// Waits for work that uses it.
void device_free(void* memory) noexcept;

/// Throws RuntimeError that says what was asked for and what is free [bytes].
[[noreturn]] void throw_no_room(std::size_t asked, std::size_t free);

/// Returns when the host's memory may change.
void copy_to_device(void* device, const void* host, std::size_t bytes,
                    DeviceStream stream = nullptr);
/// Returns without waiting.
void copy_on_device(void* to, const void* from, std::size_t bytes, DeviceStream stream = nullptr);
/// All bytes zero; returns without waiting.
void device_clear(void* memory, std::size_t bytes, DeviceStream stream = nullptr);
/// Waits for the stream.
void copy_to_host(void* host, const void* device, std::size_t bytes, DeviceStream stream = nullptr);

/// Page-locked memory of the host, which the device reads and writes without holding up the host.
class PinnedMemory {
 public:
  explicit PinnedMemory(std::size_t bytes);
  PinnedMemory(const PinnedMemory&) = delete;
  PinnedMemory& operator=(const PinnedMemory&) = delete;
  ~PinnedMemory() { free(data_); }
  void* data() { return data_; }
  const void* data() const { return data_; }
  /// To bytes [begin, begin + bytes). Returns without waiting: they are there after
  /// synchronize_device.
  void fetch(const void* device, std::size_t bytes, DeviceStream stream, std::size_t begin = 0);
  /// Bytes [begin, begin + bytes) to the device. Returns without waiting: they may change after
  /// synchronize_device.
  void send(void* device, std::size_t begin, std::size_t bytes, DeviceStream stream) const;

 private:
  static void free(void* data) noexcept;

  void* data_ = nullptr;
};

}  // namespace nodia
