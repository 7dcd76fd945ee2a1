/// Radix sort of pairs on the device (CUB), the counterpart of kernels/launch/sort_pairs.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

class DeviceSortPairs {
 public:
  DeviceSortPairs() = default;
  /// @param n      pairs of a call
  /// @param n_bit  number of lowest key bits that are compared, 1 to 64
  DeviceSortPairs(int n, int n_bit);

  /// Sorts pairs by ascending keys; stable, asynchronous, without allocation; all on the device.
  /// @param sorted_key, sorted_value  output: memory for n, separate from the input
  void operator()(const std::uint64_t* key, const std::int32_t* value, std::uint64_t* sorted_key,
                  std::int32_t* sorted_value, DeviceStream stream = nullptr);

 private:
  [[maybe_unused]] int n_ = 0, n_bit_ = 64;  ///< unused without CUDA
  DeviceBuffer<std::byte> workspace_;
};

}  // namespace nodia
