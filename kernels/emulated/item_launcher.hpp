/// The launcher of kernels that run once on the emulated device.
#pragma once

#include "kernels/emulated/emulated_device.hpp"
#include "kernels/launch/kernel.hpp"

namespace nodia {

/// Items in ascending order, lanes one by one.
struct ItemLauncher {
  template <class Kernel>
  void launch(const char*, const Kernel& kernel, int n_item) const {
    const EmulatedOwnTime time;
    for (int item = 0; item < n_item; ++item) run_item<OneLane>(kernel, item);
  }
};

}  // namespace nodia
