/// Launcher of kernels that run once, in the order of a stream. It waits for each kernel if its
/// queue says so.
#pragma once

#include "kernels/device/phase_launch.cuh"

namespace nodia {

class DeviceLauncher {
 public:
  /// @param n_block  largest number of blocks of a launch whose item count is in device memory
  explicit DeviceLauncher(DeviceQueue queue, int n_block = 1) : queue_(queue), n_block_(n_block) {}

  /// Runs items 0 .. n_item - 1, one block each.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, int n_item) const {
    if (n_item > 0)
      launch_grid(name, detail::phase_kernel<Kernel>, n_item, kernel, n_item, nullptr);
  }
  /// Runs the items; their number is in device memory.
  template <class Kernel>
  void launch(const char* name, const Kernel& kernel, const std::int32_t* n_item) const {
    launch_counted(name, detail::phase_kernel<Kernel>, kernel, 0, n_item);
  }
  /// Runs the items with a decision of groups or at the end (kernels/launch/decision.hpp).
  template <class Kernel, class Decision>
  void launch_then(const char* name, const Kernel& kernel, const std::int32_t* n_item, const char*,
                   const Decision& decision) const {
    launch_counted(name, detail::deciding_kernel<Kernel, Decision>, kernel, decision, n_item);
  }
  template <class Kernel, class Decision>
  void launch_last(const char* name, const Kernel& kernel, const std::int32_t* n_item, const char*,
                   const Decision& decision, const detail::LoopEnd& end = {}) const {
    launch_counted(name, detail::ending_kernel<Kernel, Decision>, kernel, decision, n_item, end);
  }

 private:
  /// Launches as many blocks as the device holds at once, at most n_block.
  template <class... Parameter, class... Argument>
  void launch_counted(const char* name, void (*kernel)(Parameter...),
                      const Argument&... argument) const {
    launch_grid(name, kernel, std::min(n_block_, resident_blocks(name, kernel)), argument...);
  }
  template <class... Parameter, class... Argument>
  void launch_grid(const char* name, void (*kernel)(Parameter...), int n_block,
                   const Argument&... argument) const {
    launch_blocks(name, kernel, n_block, queue_.stream, argument...);
    if (queue_.waits_for_kernels) synchronize_device(name, queue_.stream);
  }

  DeviceQueue queue_;
  int n_block_;
};

}  // namespace nodia
