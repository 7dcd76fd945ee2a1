#include "kernels/core/stopwatch.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/vfpi/device/recorded_loops.hpp"
#include "kernels/vfpi/device/vfpi_graph.hpp"

namespace nodia {

template <class Precision>
struct VfpiGraph<Precision>::Impl {
  RecordedLoops<Precision, EmulatedRecording> recorded;
};

template <class Precision>
VfpiGraph<Precision>::VfpiGraph() = default;
template <class Precision>
VfpiGraph<Precision>::~VfpiGraph() = default;

template <class Precision>
VfpiTimes VfpiGraph<Precision>::run(const ScheduleKey& key, const VfpiBatch<Precision>* batch,
                                    VfpiQueue* queue, int n_chunk) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const EmulatedRecording& recording = impl_->recorded.get({key, batch, queue, n_chunk}, [&] {
    EmulatedRecorder recorder;
    VfpiSchedule<Precision, EmulatedRecorder>(&recorder, key, batch, queue).solve();
    return recorder.take();
  });
  const Stopwatch watch;
  recording.run_before();
  const double before_s = watch.seconds();
  recording.run_loop();
  synchronize_device("V-FPI loop");
  return {before_s, watch.seconds() - before_s};
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
