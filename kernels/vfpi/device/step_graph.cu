#include "kernels/vfpi/device/step_graph.hpp"

#include <algorithm>

#include "kernels/device/graph.cuh"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/device/stream.cuh"
#include "kernels/vfpi/device/launch_step.hpp"
#include "kernels/vfpi/device/recorded_steps.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
struct StepGraph<Precision>::Impl {
  RecordedSteps<Precision, GraphExec> recorded;
  PinnedMemory told{sizeof(LoopCondition)};

  void run_graph(DeviceStream stream, const StepKey<Precision>& key) {
    const StepKey<Precision> own = begin_recorded(key, stream);
    const GraphExec& graph = recorded.get(own, [&] {
      return record_graph([&] {
        GraphRecorder recorder(kWhat, stream, own.n_block, &own.step.moments->loop);
        launch_recorded(recorder, own.step, stream);
        return recorder.take();
      });
    });
    graph.launch(stream);
  }
  void run_launches(DeviceStream stream, const StepKey<Precision>& key, bool checked,
                    const LibraryProduct<Precision>* library) {
    launch_before_loop(key.step, stream, checked);
    HostPacedLauncher<DeviceLauncher> launcher(
        kWhat, DeviceLauncher(stream, key.n_block), stream, checked, &told,
        [stream](std::int64_t* ns) { tell_time_in_stream(ns, stream); }, &key.step.moments->loop);
    launch_loop_of(launcher, key.step, stream, checked, library);
  }
};

template <class Precision>
StepGraph<Precision>::StepGraph() = default;
template <class Precision>
StepGraph<Precision>::~StepGraph() = default;

template <class Precision>
void StepGraph<Precision>::launch(LoopLauncher launcher, DeviceStream stream,
                                  const StepParts<Precision>& step, int n_chunk,
                                  const LibraryProduct<Precision>* library) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const StepKey<Precision> key{step,
                               std::min(recorded_blocks(n_chunk), most_resident_blocks(kWhat))};
  launch_by(
      kWhat, launcher, stream, [&] { impl_->run_graph(stream, key); },
      [&](bool checked) { impl_->run_launches(stream, key, checked, library); });
}

template class StepGraph<DoublePrecision>;
template class StepGraph<MixedPrecision>;
template class StepGraph<FloatPrecision>;

}  // namespace nodia
