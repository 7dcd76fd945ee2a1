/// Conjugate gradients with multigrid on the device, seen from the host without CUDA types.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/loop_launcher.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/multigrid/conjugate_gradients.hpp"
#include "kernels/multigrid/multigrid_build.hpp"

namespace nodia {

/// What steps are recorded for. Pointers are of device memory.
struct GradientKey {
  const GradientView* view = nullptr;
  LoopCondition* loop = nullptr;
  const MultigridLevel* level = nullptr;
  std::vector<LevelSize> size;  ///< of the levels

  bool operator==(const GradientKey&) const = default;
};

/// launch_gradient_start, and launch_gradient_steps: recorded as a CUDA graph, or launched by the
/// host step by step.
class DeviceMultigrid {
 public:
  DeviceMultigrid();
  ~DeviceMultigrid();

  /// All work is launched in one stream, the same in every call and not the null stream.
  void start(DeviceQueue queue, const GradientKey& key);
  /// Waits for the last step's end. A graph is recorded where the last one is not of the key.
  /// @throws RuntimeError naming what failed on the device
  void run(LoopLauncher launcher, DeviceStream stream, const GradientKey& key);

 private:
  struct Impl;
  Impl& impl();

  std::unique_ptr<Impl> impl_;
};

/// launch_fine_level of device memory.
void make_fine_level_on_device(const MultigridBuild* build, int n_row, int n_group, bool all,
                               const PutBlocks& put, DeviceQueue queue);

}  // namespace nodia
