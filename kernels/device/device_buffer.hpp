/// Array in device memory that frees itself. Its functions enqueue work in the given stream.
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/device/device_memory.hpp"

namespace nodia {

template <class T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  explicit DeviceBuffer(std::size_t size)
      : data_(static_cast<T*>(device_allocate(size * sizeof(T)))), size_(size), capacity_(size) {}
  DeviceBuffer(const T* host, std::size_t size) : DeviceBuffer(size) {
    copy_to_device(data_, host, size * sizeof(T));
  }
  explicit DeviceBuffer(const std::vector<T>& host) : DeviceBuffer(host.data(), host.size()) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(capacity_, other.capacity_);
    return *this;
  }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() { device_free(data_); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Changes the size. To avoid frequent allocations, the capacity grows by half if memory
  /// suffices; growth discards all values. If memory is exhausted, nothing changes.
  void resize(std::size_t size, DeviceStream stream = nullptr) {
    if (size > capacity_) {
      *this = with_room(size, capacity_ + capacity_ / 2);
      device_clear(data_, capacity_ * sizeof(T), stream);
    }
    size_ = size;
  }
  /// Changes the size and clears all values. If the size is 0, data() is null.
  void renew(std::size_t size, DeviceStream stream) {
    if (size == 0 || size > capacity_) *this = {};  // frees first, to limit the peak
    resize(size, stream);
    device_clear(data_, capacity_ * sizeof(T), stream);
  }

  /// Copies values to the device. @param host  contiguous, at most size() values; may change
  /// afterwards
  template <class Container>
  void upload(const Container& host, DeviceStream stream = nullptr) {
    assert(host.size() <= size_);
    copy_to_device(data_, host.data(), host.size() * sizeof(T), stream);
  }
  /// Copies size and values of `host`.
  template <class Container>
  void assign(const Container& host, DeviceStream stream = nullptr) {
    resize(host.size(), stream);
    upload(host, stream);
  }
  /// Copies all values to the host; waits for the stream.
  std::vector<T> download(DeviceStream stream = nullptr) const {
    std::vector<T> host(size_);
    copy_to_host(host.data(), data_, size_ * sizeof(T), stream);
    return host;
  }

 private:
  /// Allocates `wanted` values, or `needed` if memory does not suffice.
  static DeviceBuffer with_room(std::size_t needed, std::size_t wanted) {
    if (wanted <= needed) return DeviceBuffer(needed);
    try {
      return DeviceBuffer(wanted);
    } catch (const RuntimeError&) {
      return DeviceBuffer(needed);
    }
  }

  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace nodia
