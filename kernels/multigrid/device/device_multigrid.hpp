/// Conjugate gradients with multigrid on the device, in a form without CUDA types for the host.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/multigrid/conjugate_gradients.hpp"
#include "kernels/multigrid/multigrid_build.hpp"

namespace nodia {

/// Key of recorded steps. Pointers refer to device memory.
struct GradientKey {
  const GradientView* view = nullptr;
  LoopCondition* loop = nullptr;
  const MultigridLevel* level = nullptr;
  std::vector<LevelSize> size;  ///< sizes of the levels

  bool operator==(const GradientKey&) const = default;
};

/// Runs launch_gradient_start and launch_gradient_steps on a device: recorded as a CUDA graph, or
/// launched by the host step by step.
class DeviceMultigrid {
 public:
  DeviceMultigrid();
  ~DeviceMultigrid();

  /// Enqueues the start. All calls must use the same stream, not the null stream.
  void start(DeviceQueue queue, const GradientKey& key);
  /// Runs steps and waits for the end of the last one. Records a graph if the last one has another
  /// key.
  /// @throws RuntimeError that names the failure on the device
  void run(LoopLauncher launcher, DeviceStream stream, const GradientKey& key);

 private:
  struct Impl;
  Impl& impl();

  std::unique_ptr<Impl> impl_;
};

/// launch_fine_level on device memory.
void make_fine_level_on_device(const MultigridBuild* build, int n_row, int n_group, bool all,
                               const PutBlocks& put, DeviceQueue queue);

}  // namespace nodia
