/// Device array that is uploaded only if its bits have changed.
#pragma once

#include <cstring>
#include <utility>
#include <vector>

#include "kernels/device/device_buffer.hpp"

namespace nodia {

template <class T>
class MirroredArray {
 public:
  void send(std::vector<T> values, DeviceStream stream) {
    if (is(values)) return;
    device_.assign(values, stream);
    host_ = std::move(values);
  }
  /// Returns whether these values were uploaded last, bit for bit.
  bool is(const std::vector<T>& values) const {
    return values.size() == host_.size() &&
           (values.empty() ||
            std::memcmp(values.data(), host_.data(), values.size() * sizeof(T)) == 0);
  }
  /// Values of the last upload.
  const std::vector<T>& host() const { return host_; }
  const T* device() const { return device_.data(); }

 private:
  std::vector<T> host_;
  DeviceBuffer<T> device_;
};

}  // namespace nodia
