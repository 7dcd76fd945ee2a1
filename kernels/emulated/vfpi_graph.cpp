#include "kernels/device/vfpi_graph.hpp"

#include <functional>
#include <vector>

#include "kernels/core/error.hpp"
#include "kernels/core/stopwatch.hpp"
#include "kernels/cpu/cpu_launcher.hpp"
#include "kernels/device/recorded_loop.hpp"
#include "kernels/device/stream.hpp"
#include "kernels/emulated/emulated_device.hpp"

namespace nodia {
namespace {

/// Launches with their arguments, as a CUDA graph holds them.
struct Recording {
  struct Launch {
    const char* name;
    std::function<void()> run;
  };
  std::vector<Launch> before, body;
  LoopCondition* condition = nullptr;
};

/// A launcher (kernels/vfpi/schedule.hpp) that records.
class Recorder {
 public:
  template <class Kernel, class Count>
  void launch(const char* name, const Kernel& kernel, Count n_item) {
    if (name == emulated_device().unrecorded_kernel)
      throw RuntimeError(std::string("emulated device: the launch of ") + name +
                         " cannot be recorded");
    into_->push_back({name, [=] { CpuLauncher(chosen_isa(), 1).launch(name, kernel, n_item); }});
  }
  template <class Body>
  void repeat_while(LoopCondition* condition, const Body& body) {
    recording_.condition = condition;
    into_ = &recording_.body;
    body();
  }
  Recording take() { return std::move(recording_); }

 private:
  Recording recording_;
  std::vector<Recording::Launch>* into_ = &recording_.before;
};

void run(const std::vector<Recording::Launch>& launches) {
  for (const Recording::Launch& launch : launches)
    if (launch.name != emulated_device().dropped_kernel) launch.run();
}

}  // namespace

template <class Precision>
struct VfpiGraph<Precision>::Impl {
  RecordedLoop<Precision, Recording> recorded;
};

template <class Precision>
VfpiGraph<Precision>::VfpiGraph() = default;
template <class Precision>
VfpiGraph<Precision>::~VfpiGraph() = default;

template <class Precision>
VfpiTimes VfpiGraph<Precision>::run(const VfpiPlan& plan, const VfpiBatch<Precision>* batch,
                                    VfpiQueue* queue, int n_chunk) {
  if (!impl_) impl_ = std::make_unique<Impl>();
  const Recording& recording = impl_->recorded.get({plan, batch, queue, n_chunk}, [&] {
    Recorder recorder;
    VfpiSchedule<Precision, Recorder>(&recorder, plan, batch, queue).solve();
    ++emulated_device().n_recording;
    return recorder.take();
  });
  const Stopwatch watch;
  nodia::run(recording.before);
  const double before_s = watch.seconds();
  // As the conditional node of a CUDA graph: the first body is unconditional.
  do {
    nodia::run(recording.body);
    ++emulated_device().n_body;
  } while (another_body(recording.condition));
  synchronize_device("V-FPI loop");
  return {before_s, watch.seconds() - before_s};
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
