#include <optional>

#include "kernels/device/checked_launcher.hpp"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/device/run_loop.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/multigrid/device/recorded_gradients.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "conjugate gradients";
}  // namespace

struct DeviceMultigrid::Impl {
  GradientKey recorded_for;
  std::optional<EmulatedRecording> recorded;
  PinnedMemory condition{sizeof(LoopCondition)};

  const EmulatedRecording& recording(DeviceStream stream, const GradientKey& key) {
    if (recorded && recorded_for == key) return *recorded;
    recorded.reset();
    EmulatedRecorder recorder(stream, item_count(key.size[0].n_row), nullptr);
    launch_steps(recorder, key);
    recorded = recorder.take();
    recorded_for = key;
    return *recorded;
  }
  HostPacedLauncher<EmulatedLauncher> launcher(DeviceStream stream, bool checked) {
    return {kWhat,      EmulatedLauncher{stream}, stream, checked,
            &condition, [](std::int64_t*) {},     nullptr};
  }
};

DeviceMultigrid::DeviceMultigrid() = default;
DeviceMultigrid::~DeviceMultigrid() = default;

DeviceMultigrid::Impl& DeviceMultigrid::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>();
  return *impl_;
}

void DeviceMultigrid::start(LoopLauncher launcher, DeviceStream stream, const GradientKey& key) {
  auto by_host = impl().launcher(stream, launcher == LoopLauncher::checked);
  launch_gradient_start(by_host, key.view, key.size[0].n_row);
}

void DeviceMultigrid::run(LoopLauncher launcher, DeviceStream stream, const GradientKey& key) {
  run_loop(
      kWhat, launcher, stream, [&] { impl().recording(stream, key).launch(kWhat); },
      [&](bool checked) {
        auto by_host = impl().launcher(stream, checked);
        launch_steps(by_host, key);
      });
}

void make_fine_level_on_device(const MultigridBuild* build, int n_row, int n_group, bool all,
                               const PutBlocks& put, DeviceStream stream, bool checked) {
  launch_fine_level(CheckedLauncher(EmulatedLauncher{stream}, stream, checked), build, n_row,
                    n_group, all, put);
}

}  // namespace nodia
