/// Cache of constant arrays in device memory; equal contents are stored once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kernels/device/device_buffer.hpp"

namespace nodia {

class SharedDeviceArrays {
 public:
  /// Returns the array in device memory; null if empty. It exists as long as its pointers do.
  /// @param owner  keeps the host's array alive and constant for the same time
  template <class T>
  std::shared_ptr<const T> get(const std::shared_ptr<const void>& owner, const T* host,
                               std::size_t size, DeviceStream stream) {
    bool is_new = false;
    std::shared_ptr<T> array = place(owner, host, size, &is_new);
    if (is_new) copy_to_device(array.get(), host, size * sizeof(T), stream);
    return array;
  }
  /// Returns the array's memory. If it is new, the caller writes the values of the host's array on
  /// the device, and never changes them.
  /// @param is_new  output: set if the array was not stored
  template <class T>
  std::shared_ptr<T> place(const std::shared_ptr<const void>& owner, const T* host,
                           std::size_t size, bool* is_new) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size == 0) return nullptr;
    std::shared_ptr<Array> array = find_or_make(owner, host, size * sizeof(T), is_new);
    T* const data = reinterpret_cast<T*>(array->device.data());
    return {std::move(array), data};
  }

  /// Number of arrays in use.
  std::size_t n_held() const;

 private:
  struct Array {
    std::shared_ptr<const void> owner;
    const void* host = nullptr;
    std::size_t bytes = 0;
    DeviceBuffer<std::byte> device;
  };

  std::shared_ptr<Array> find_or_make(const std::shared_ptr<const void>& owner, const void* host,
                                      std::size_t bytes, bool* is_new);

  std::unordered_multimap<std::uint64_t, std::weak_ptr<Array>> by_content_;
  std::size_t most_ = 64;  ///< size of by_content_ at which unused arrays are removed
};

}  // namespace nodia
