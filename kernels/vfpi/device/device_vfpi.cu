#include "kernels/vfpi/device/device_vfpi.hpp"

#include <algorithm>

#include "kernels/device/graph.cuh"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/vfpi/device/recorded_loops.hpp"
#include "kernels/vfpi/device/run_loop.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
struct DeviceVfpi<Precision>::Impl {
  struct Graphs {
    GraphExec before, loop;
  };
  StreamEvent start{kWhat}, middle{kWhat}, end{kWhat};
  RecordedLoops<Precision, Graphs> recorded;
  PinnedMemory condition{sizeof(LoopCondition)};

  void run_graph(DeviceStream stream, const LoopKey<Precision>& key) {
    const Graphs& graphs = recorded.get(key, [&] {
      GraphRecorder recorder(kWhat, stream, key.n_block);
      VfpiSchedule<Precision, GraphRecorder>(&recorder, key.schedule, key.batch, key.queue).solve();
      auto [before, loop] = recorder.take();
      return Graphs{std::move(before), std::move(loop)};
    });
    start.record(stream);
    graphs.before.launch(stream);
    middle.record(stream);
    graphs.loop.launch(stream);
  }
  void run_launches(DeviceStream stream, const LoopKey<Precision>& key, bool checked,
                    const LibraryProduct<Precision>* library) {
    using Launcher = HostPacedLauncher<DeviceLauncher>;
    Launcher launcher(kWhat, DeviceLauncher(stream, key.n_block), stream, checked, &condition,
                      [&] { middle.record(stream); });
    start.record(stream);
    if (library == nullptr) {
      VfpiSchedule<Precision, Launcher>(&launcher, key.schedule, key.batch, key.queue).solve();
      return;
    }
    using ByLibrary = LibraryLauncher<Precision, Launcher>;
    ByLibrary by_library(std::move(launcher), *library);
    VfpiSchedule<Precision, ByLibrary>(&by_library, key.schedule, key.batch, key.queue).solve();
  }
};

template <class Precision>
DeviceVfpi<Precision>::DeviceVfpi() = default;
template <class Precision>
DeviceVfpi<Precision>::~DeviceVfpi() = default;

template <class Precision>
VfpiTimes DeviceVfpi<Precision>::run(LoopLauncher launcher, DeviceStream stream,
                                     const ScheduleKey& key, const VfpiBatch<Precision>* batch,
                                     VfpiQueue* queue, int n_chunk,
                                     const LibraryProduct<Precision>* library) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const LoopKey<Precision> loop{key, batch, queue,
                                std::min(recorded_blocks(n_chunk), most_resident_blocks(kWhat))};
  run_loop(
      kWhat, launcher, stream, [&] { impl_->run_graph(stream, loop); },
      [&](bool checked) { impl_->run_launches(stream, loop, checked, library); },
      [&] { impl_->end.record(stream); });
  return {impl_->middle.s_since(impl_->start), impl_->end.s_since(impl_->middle)};
}

template class DeviceVfpi<DoublePrecision>;
template class DeviceVfpi<MixedPrecision>;
template class DeviceVfpi<FloatPrecision>;

}  // namespace nodia
