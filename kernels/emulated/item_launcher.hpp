/// The launcher of kernels that run once on the emulated device.
#pragma once

#include <string>

#include "kernels/emulated/launch.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/mimic/launcher.hpp"

namespace nodia {

/// Items in ascending order, lanes one by one; or as the device's launcher is mimicked.
struct ItemLauncher {
  DeviceStream stream = nullptr;

  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    launch_on_emulated_device(stream, name, name, [=] { run(name, kernel, n_item); });
  }

 private:
  template <class Kernel>
  static void run(const char* name, const Kernel& kernel, int n_item) {
    const EmulatedOwnTime time;
    if (is_faulty_on_emulated_device(name)) return;
    if (MimicLauncher* mimic = emulated_device().mimic; mimic != nullptr)
      return mimic->launch(name, kernel, n_item);
    for (int item = 0; item < n_item; ++item) run_item<OneLane>(kernel, item);
  }
};

}  // namespace nodia
