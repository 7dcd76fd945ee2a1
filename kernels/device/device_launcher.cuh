/// The launcher of kernels that run once, in the order of a stream.
#pragma once

#include "kernels/device/phase_launch.cuh"

namespace nodia {

class DeviceLauncher {
 public:
  /// @param n_block  blocks of a launch over items counted in device memory, at most
  explicit DeviceLauncher(DeviceStream stream, int n_block = 1)
      : stream_(stream), n_block_(n_block) {}

  /// Runs items 0 .. n_item - 1, a block each.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    if (n_item > 0) launch_phases(name, kernel, n_item, nullptr, n_item, stream_);
  }
  /// The same; their number lies in device memory.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, const std::int32_t* n_item) const {
    launch_phases(name, kernel, 0, n_item, std::min(n_block_, resident_blocks<Kernel>(name)),
                  stream_);
  }

 private:
  DeviceStream stream_;
  int n_block_;
};

}  // namespace nodia
