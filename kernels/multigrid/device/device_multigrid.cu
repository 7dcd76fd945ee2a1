#include "kernels/multigrid/device/device_multigrid.hpp"

#include <algorithm>
#include <optional>

#include "kernels/device/checked_launcher.hpp"
#include "kernels/device/graph.cuh"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/device/run_loop.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/multigrid/device/recorded_gradients.hpp"

namespace nodia {

namespace {

constexpr const char* kWhat = "conjugate gradients";

/// Of a launch over chunks of rows.
int blocks_of(const GradientKey& key) {
  return std::min(item_count(key.size[0].n_row), most_resident_blocks(kWhat));
}

}  // namespace

struct DeviceMultigrid::Impl {
  GradientKey recorded_for;
  std::optional<GraphExec> recorded;
  PinnedMemory condition{sizeof(LoopCondition)};

  const GraphExec& graph(DeviceStream stream, const GradientKey& key) {
    if (recorded && recorded_for == key) return *recorded;
    recorded.reset();
    recorded.emplace(record_graph([&] {
      GraphRecorder recorder(kWhat, stream, blocks_of(key), nullptr);
      launch_steps(recorder, key);
      return recorder.take();
    }));
    recorded_for = key;
    return *recorded;
  }
  HostPacedLauncher<DeviceLauncher> launcher(DeviceStream stream, const GradientKey& key,
                                             bool checked) {
    return {kWhat,      DeviceLauncher(stream, blocks_of(key)),
            stream,     checked,
            &condition, [](std::int64_t*) {},
            nullptr};
  }
};

DeviceMultigrid::DeviceMultigrid() = default;
DeviceMultigrid::~DeviceMultigrid() = default;

DeviceMultigrid::Impl& DeviceMultigrid::impl() {
  if (!impl_) impl_ = std::make_unique<Impl>();
  return *impl_;
}

void DeviceMultigrid::start(LoopLauncher launcher, DeviceStream stream, const GradientKey& key) {
  auto by_host = impl().launcher(stream, key, launcher == LoopLauncher::checked);
  launch_gradient_start(by_host, key.view, key.size[0].n_row);
}

void DeviceMultigrid::run(LoopLauncher launcher, DeviceStream stream, const GradientKey& key) {
  run_loop(
      kWhat, launcher, stream, [&] { impl().graph(stream, key).launch(stream); },
      [&](bool checked) {
        auto by_host = impl().launcher(stream, key, checked);
        launch_steps(by_host, key);
      });
}

void make_fine_level_on_device(const MultigridBuild* build, int n_row, int n_group, bool all,
                               const PutBlocks& put, DeviceStream stream, bool checked) {
  launch_fine_level(CheckedLauncher(DeviceLauncher(stream), stream, checked), build, n_row, n_group,
                    all, put);
}

}  // namespace nodia
