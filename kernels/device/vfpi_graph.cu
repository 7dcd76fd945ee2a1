#include "kernels/device/vfpi_graph.hpp"

#include <algorithm>

#include "kernels/device/graph.cuh"
#include "kernels/device/recorded_loop.hpp"

namespace nodia {
namespace {

/// Blocks that fill the current device: more would only queue, and the kernels stride over the
/// rest.
int resident_blocks() {
  int device = 0, n_multiprocessor = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice", "V-FPI loop");
  check_cuda(cudaDeviceGetAttribute(&n_multiprocessor, cudaDevAttrMultiProcessorCount, device),
             "cudaDeviceGetAttribute", "V-FPI loop");
  return n_multiprocessor * (2048 / kBlockLanes);
}

class Stream {
 public:
  Stream() { check_cuda(cudaStreamCreate(&stream_), "cudaStreamCreate", "V-FPI loop"); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { static_cast<void>(cudaStreamDestroy(stream_)); }
  DeviceStream get() const { return stream_; }

 private:
  cudaStream_t stream_ = nullptr;
};

/// A moment in a stream's work.
class Event {
 public:
  Event() { check_cuda(cudaEventCreate(&event_), "cudaEventCreate", "V-FPI loop"); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  void record(const Stream& stream) {
    check_cuda(cudaEventRecord(event_, stream.get()), "cudaEventRecord", "V-FPI loop");
  }
  /// Both must have passed.
  double s_since(const Event& start) const {
    float ms = 0;
    check_cuda(cudaEventElapsedTime(&ms, start.event_, event_), "cudaEventElapsedTime",
               "V-FPI loop");
    return 1e-3 * ms;
  }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace

template <class Precision>
struct VfpiGraph<Precision>::Impl {
  struct Graphs {
    GraphExec before, loop;
  };
  Stream stream;
  Event start, middle, end;
  RecordedLoop<Precision, Graphs> recorded;
};

template <class Precision>
VfpiGraph<Precision>::VfpiGraph() = default;
template <class Precision>
VfpiGraph<Precision>::~VfpiGraph() = default;

template <class Precision>
VfpiTimes VfpiGraph<Precision>::run(const ScheduleKey& key, const VfpiBatch<Precision>* batch,
                                    VfpiQueue* queue, int n_chunk) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const int n_block = std::max(1, std::min(n_chunk, resident_blocks()));
  const auto& graphs = impl_->recorded.get({key, batch, queue, n_block}, [&] {
    GraphRecorder recorder(impl_->stream.get(), n_block);
    VfpiSchedule<Precision, GraphRecorder>(&recorder, key, batch, queue).solve();
    return typename Impl::Graphs{recorder.before(), recorder.loop()};
  });
  impl_->start.record(impl_->stream);
  graphs.before.launch(impl_->stream.get());
  impl_->middle.record(impl_->stream);
  graphs.loop.launch(impl_->stream.get());
  impl_->end.record(impl_->stream);
  synchronize_device("V-FPI loop", impl_->stream.get());
  return {impl_->middle.s_since(impl_->start), impl_->end.s_since(impl_->middle)};
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
