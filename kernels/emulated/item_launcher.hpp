/// The launcher of kernels that run once on the emulated device.
#pragma once

#include "kernels/emulated/emulated_device.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/mimic/launcher.hpp"

namespace nodia {

/// Items in ascending order, lanes one by one; or as the device's launcher is mimicked.
struct ItemLauncher {
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    const EmulatedOwnTime time;
    if (MimicLauncher* mimic = emulated_device().mimic; mimic != nullptr)
      return mimic->launch(name, kernel, n_item);
    for (int item = 0; item < n_item; ++item) run_item<OneLane>(kernel, item);
  }
};

}  // namespace nodia
