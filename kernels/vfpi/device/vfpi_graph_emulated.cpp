#include <chrono>

#include "kernels/device/stream.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/vfpi/device/recorded_loop.hpp"
#include "kernels/vfpi/device/vfpi_graph.hpp"

namespace nodia {
namespace {

using Clock = std::chrono::steady_clock;

double seconds(Clock::duration time) {
  return std::chrono::duration<double>(time).count();
}

}  // namespace

template <class Precision>
struct VfpiGraph<Precision>::Impl {
  RecordedLoop<Precision, EmulatedRecording> recorded;
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
  const Clock::time_point start = Clock::now();
  recording.run_before();
  const Clock::time_point middle = Clock::now();
  recording.run_loop();
  synchronize_device("V-FPI loop");
  return {seconds(middle - start), seconds(Clock::now() - middle)};
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
