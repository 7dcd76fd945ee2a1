/// Compaction on the device (CUB), the counterpart of kernels/launch/select_flagged.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

class DeviceSelectFlagged {
 public:
  DeviceSelectFlagged() = default;
  /// @param largest_n  largest number of flags of a call
  explicit DeviceSelectFlagged(int largest_n);

  /// Selects the indices i with flag[i] != 0, ascending. Asynchronous; a stream may capture it. All
  /// pointers are device pointers.
  /// @param n           at most largest_n
  /// @param selected    output: memory for n indices
  /// @param n_selected  output: their number
  void operator()(const std::uint8_t* flag, int n, std::int32_t* selected, std::int32_t* n_selected,
                  DeviceStream stream = nullptr);

 private:
  DeviceBuffer<std::byte> workspace_;
};

}  // namespace nodia
