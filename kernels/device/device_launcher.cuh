/// The launcher of kernels that run once, in the order of a stream.
#pragma once

#include "kernels/device/phase_launch.cuh"

namespace nodia {

class DeviceLauncher {
 public:
  explicit DeviceLauncher(DeviceStream stream) : stream_(stream) {}

  /// Runs items 0 .. n_item - 1, a block each.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    if (n_item > 0) launch_phases(name, kernel, n_item, nullptr, n_item, stream_);
  }

 private:
  DeviceStream stream_;
};

}  // namespace nodia
