/// CUDA graph of a step, and its launch by the host.
#include "kernels/vfpi/device/step_graph.hpp"

#include "kernels/device/device_recording.cuh"
#include "kernels/device/host_paced_launcher.hpp"
#include "kernels/vfpi/device/launch_step.hpp"
#include "kernels/vfpi/device/recorded_steps.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
struct StepGraph<Precision>::Impl {
  RecordedSteps<Precision, Recording> recorded;
  PinnedMemory told{sizeof(LoopCondition)};

  void run_graph(DeviceStream stream, const StepKey<Precision>& key) {
    const StepKey<Precision> own = begin_recorded(key, stream);
    const Recording& graph = recorded.get(own, [&] {
      return record(kWhat, stream, own.n_block, &own.step.moments->loop,
                    [&](auto& recorder) { launch_recorded(recorder, own.step, stream); });
    });
    replay(graph, stream, kWhat);
  }
  void run_launches(DeviceQueue queue, const StepKey<Precision>& key) {
    launch_before_loop(key.step, queue);
    HostPacedLauncher<KernelLauncher> launcher(
        kWhat, launcher_in(queue, key.n_block), queue.stream, &told,
        [queue](std::int64_t* ns) { write_time(ns, queue.stream); }, &key.step.moments->loop);
    launch_loop(launcher, key.step, queue);
  }
};

template <class Precision>
StepGraph<Precision>::StepGraph() = default;
template <class Precision>
StepGraph<Precision>::~StepGraph() = default;

template <class Precision>
void StepGraph<Precision>::launch(LoopLauncher launcher, DeviceStream stream,
                                  const StepParts<Precision>& step, int n_chunk) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const StepKey<Precision> key{step, most_blocks(recorded_blocks(n_chunk), kWhat)};
  launch_by(
      kWhat, launcher, stream, [&] { impl_->run_graph(stream, key); },
      [&](DeviceQueue queue) { impl_->run_launches(queue, key); });
}

#define NODIA_INSTANTIATE(Precision) template class StepGraph<Precision>;
NODIA_FOR_EACH_PRECISION(NODIA_INSTANTIATE)
#undef NODIA_INSTANTIATE

}  // namespace nodia
