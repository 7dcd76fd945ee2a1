#include "kernels/core/stopwatch.hpp"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/vfpi/device/device_vfpi.hpp"
#include "kernels/vfpi/device/recorded_loops.hpp"
#include "kernels/vfpi/device/run_loop.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
struct DeviceVfpi<Precision>::Impl {
  RecordedLoops<Precision, EmulatedRecording> recorded;
  PinnedMemory condition{sizeof(LoopCondition)};
  Stopwatch watch;  ///< since the first kernel
  double before_s = 0, end_s = 0;

  void run_graph(const LoopKey<Precision>& key) {
    const EmulatedRecording& recording = recorded.get(key, [&] {
      EmulatedRecorder recorder(key.n_block);
      VfpiSchedule<Precision, EmulatedRecorder>(&recorder, key.schedule, key.batch, key.queue)
          .solve();
      return recorder.take();
    });
    watch = {};
    recording.run_before();
    before_s = watch.seconds();
    recording.run_loop();
  }
  void run_launches(DeviceStream stream, const LoopKey<Precision>& key, bool checked,
                    const LibraryProduct<Precision>* library) {
    using Launcher = HostPacedLauncher<EmulatedLauncher>;
    watch = {};
    Launcher launcher(kWhat, EmulatedLauncher{}, stream, checked, &condition,
                      [&] { before_s = watch.seconds(); });
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
  const LoopKey<Precision> loop{key, batch, queue, recorded_blocks(n_chunk)};
  run_loop(
      kWhat, launcher, stream, [&] { impl_->run_graph(loop); },
      [&](bool checked) { impl_->run_launches(stream, loop, checked, library); },
      [&] { impl_->end_s = impl_->watch.seconds(); });
  return {impl_->before_s, impl_->end_s - impl_->before_s};
}

template class DeviceVfpi<DoublePrecision>;
template class DeviceVfpi<MixedPrecision>;
template class DeviceVfpi<FloatPrecision>;

}  // namespace nodia
