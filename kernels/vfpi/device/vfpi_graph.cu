#include "kernels/vfpi/device/vfpi_graph.hpp"

#include <algorithm>

#include "kernels/device/graph.cuh"
#include "kernels/device/stream.cuh"
#include "kernels/vfpi/device/recorded_loops.hpp"

namespace nodia {

namespace {
constexpr const char* kWhat = "V-FPI loop";
}  // namespace

template <class Precision>
struct VfpiGraph<Precision>::Impl {
  struct Graphs {
    GraphExec before, loop;
  };
  OwnedStream stream{kWhat};
  StreamEvent start{kWhat}, middle{kWhat}, end{kWhat};
  RecordedLoops<Precision, Graphs> recorded;
};

template <class Precision>
VfpiGraph<Precision>::VfpiGraph() = default;
template <class Precision>
VfpiGraph<Precision>::~VfpiGraph() = default;

template <class Precision>
VfpiTimes VfpiGraph<Precision>::run(const ScheduleKey& key, const VfpiBatch<Precision>* batch,
                                    VfpiQueue* queue, int n_chunk) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const int n_block = std::max(1, std::min(n_chunk, resident_blocks(kWhat)));
  const auto& graphs = impl_->recorded.get({key, batch, queue, n_block}, [&] {
    GraphRecorder recorder(kWhat, impl_->stream.get(), n_block);
    VfpiSchedule<Precision, GraphRecorder>(&recorder, key, batch, queue).solve();
    return typename Impl::Graphs{recorder.before(), recorder.loop()};
  });
  impl_->start.record(impl_->stream);
  graphs.before.launch(impl_->stream.get());
  impl_->middle.record(impl_->stream);
  graphs.loop.launch(impl_->stream.get());
  impl_->end.record(impl_->stream);
  synchronize_device(kWhat, impl_->stream.get());
  return {impl_->middle.s_since(impl_->start), impl_->end.s_since(impl_->middle)};
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
