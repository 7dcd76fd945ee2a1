/// Compaction on the device (CUB), the twin of kernels/launch/select_flagged.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/device/device_buffer.hpp"
#include "kernels/device/stream.hpp"

namespace nodia {

class DeviceSelectFlagged {
 public:
  DeviceSelectFlagged() = default;
  /// @param largest_n  flags of a call, at most
  explicit DeviceSelectFlagged(int largest_n);

  /// Indices i with flag[i] != 0, ascending; returns without waiting, and a stream may capture it.
  /// All pointers are device pointers.
  /// @param n           at most largest_n
  /// @param selected    out: room for n
  /// @param n_selected  out: their number
  void operator()(const std::uint8_t* flag, int n, std::int32_t* selected, std::int32_t* n_selected,
                  DeviceStream stream = nullptr);

 private:
  DeviceBuffer<std::byte> workspace_;
};

}  // namespace nodia
