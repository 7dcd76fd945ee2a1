#include "kernels/multigrid/device/device_multigrid.hpp"

#include <optional>

#include "kernels/device/device_recording.cuh"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/device/run_loop.hpp"

namespace nodia {

namespace {

constexpr const char* kWhat = "conjugate gradients";

/// Number of blocks of threads of a launch over chunks of rows.
int blocks_of(const GradientKey& key) {
  return most_blocks(item_count(key.size[0].n_row), kWhat);
}

template <class Launcher>
void launch_steps(Launcher& launcher, const GradientKey& key) {
  launch_gradient_steps(launcher, key.view, key.loop, key.level, key.size.data(),
                        static_cast<int>(key.size.size()));
}

}  // namespace

struct DeviceMultigrid::Impl {
  GradientKey recorded_for;
  std::optional<Recording> recorded;
  PinnedMemory condition{sizeof(LoopCondition)};

  const Recording& recording(DeviceStream stream, const GradientKey& key) {
    if (recorded && recorded_for == key) return *recorded;
    recorded.reset();
    recorded.emplace(record(kWhat, stream, blocks_of(key), nullptr,
                            [&](auto& recorder) { launch_steps(recorder, key); }));
    recorded_for = key;
    return *recorded;
  }
  HostPacedLauncher<KernelLauncher> launcher(DeviceQueue queue, const GradientKey& key) {
    const KernelLauncher kernels = launcher_in(queue, blocks_of(key));
    return {kWhat, kernels, queue.stream, &condition, [](std::int64_t*) {}, nullptr};
  }
};

DeviceMultigrid::DeviceMultigrid() = default;
DeviceMultigrid::~DeviceMultigrid() = default;

DeviceMultigrid::Impl& DeviceMultigrid::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>();
  return *impl_;
}

void DeviceMultigrid::start(DeviceQueue queue, const GradientKey& key) {
  auto by_host = impl().launcher(queue, key);
  launch_gradient_start(by_host, key.view, key.size[0].n_row);
}

void DeviceMultigrid::run(LoopLauncher launcher, DeviceStream stream, const GradientKey& key) {
  run_loop(
      kWhat, launcher, stream, [&] { replay(impl().recording(stream, key), stream, kWhat); },
      [&](DeviceQueue queue) {
        auto by_host = impl().launcher(queue, key);
        launch_steps(by_host, key);
      });
}

void make_fine_level_on_device(const MultigridBuild* build, int n_row, int n_group, bool all,
                               const PutBlocks& put, DeviceQueue queue) {
  launch_fine_level(launcher_in(queue), build, n_row, n_group, all, put);
}

}  // namespace nodia
