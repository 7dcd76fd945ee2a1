/// Constant arrays in device memory: equal contents lie there once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kernels/device/device_buffer.hpp"

namespace nodia {

class SharedDeviceArrays {
 public:
  /// The array in device memory, where it stays as long as somebody holds what is returned; null
  /// for an empty one.
  /// @param owner  keeps the host's array alive and as it is; held as long
  template <class T>
  std::shared_ptr<const T> get(const std::shared_ptr<const void>& owner, const T* host,
                               std::size_t size, DeviceStream stream) {
    bool is_new = false;
    std::shared_ptr<T> array = place(owner, host, size, &is_new);
    if (is_new) copy_to_device(array.get(), host, size * sizeof(T), stream);
    return array;
  }
  /// The same, for who makes the values there: the caller writes the host's where they are new, and
  /// nothing else ever.
  /// @param is_new  out: set where the array was not there
  template <class T>
  std::shared_ptr<T> place(const std::shared_ptr<const void>& owner, const T* host,
                           std::size_t size, bool* is_new) {
    static_assert(std::is_trivially_copyable_v<T>);
    if (size == 0) return nullptr;
    std::shared_ptr<Array> array = find_or_make(owner, host, size * sizeof(T), is_new);
    T* const data = reinterpret_cast<T*>(array->device.data());
    return {std::move(array), data};
  }

  /// Arrays that somebody holds.
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
  std::size_t most_ = 64;  ///< of by_content_ before it is looked through for what nobody holds
};

}  // namespace nodia
