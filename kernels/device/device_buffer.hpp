/// An array in device memory that frees itself.
#pragma once

#include <cassert>
#include <cstddef>
#include <type_traits>
#include <utility>
#include <vector>

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

  /// Takes the size; nothing is kept where memory grows, and new memory is zero.
  void resize(std::size_t size) {
    if (size > capacity_) {
      *this = DeviceBuffer(size);
      device_clear(data_, size * sizeof(T));
    }
    size_ = size;
  }

  /// @param host  contiguous, at most size() values
  template <class Container>
  void upload(const Container& host) {
    assert(host.size() <= size_);
    copy_to_device(data_, host.data(), host.size() * sizeof(T));
  }
  /// Takes size and values of `host`.
  template <class Container>
  void assign(const Container& host) {
    resize(host.size());
    upload(host);
  }
  std::vector<T> download() const {
    std::vector<T> host(size_);
    copy_to_host(host.data(), data_, size_ * sizeof(T));
    return host;
  }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace nodia
