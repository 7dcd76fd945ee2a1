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
    there_.assign(values, stream);
    here_ = std::move(values);
  }
  /// Returns whether these values were uploaded last, bit for bit.
  bool is(const std::vector<T>& values) const {
    return values.size() == here_.size() &&
           (values.empty() ||
            std::memcmp(values.data(), here_.data(), values.size() * sizeof(T)) == 0);
  }
  /// Values of the last upload.
  const std::vector<T>& here() const { return here_; }
  const T* there() const { return there_.data(); }

 private:
  std::vector<T> here_;
  DeviceBuffer<T> there_;
};

}  // namespace nodia
