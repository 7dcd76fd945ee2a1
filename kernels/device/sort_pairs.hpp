/// Radix sort of pairs on the device (CUB), the twin of kernels/launch/sort_pairs.hpp.
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
  /// @param n_bit  of the keys that are looked at, the lowest ones, 1 to 64
  DeviceSortPairs(int n, int n_bit);

  /// Pairs by ascending keys, those of equal keys in the order in which they come; allocates
  /// nothing, and returns without waiting. All pointers are device pointers.
  /// @param sorted_key, sorted_value  out: room for n, of other arrays
  void operator()(const std::uint64_t* key, const std::int32_t* value, std::uint64_t* sorted_key,
                  std::int32_t* sorted_value, DeviceStream stream = nullptr);

 private:
  [[maybe_unused]] int n_ = 0, n_bit_ = 64;  ///< not in a build without a CUDA side
  DeviceBuffer<std::byte> workspace_;
};

}  // namespace nodia
