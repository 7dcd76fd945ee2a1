#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/step_graph.hpp"

namespace nodia {

template <class Precision>
struct StepGraph<Precision>::Impl {};
template <class Precision>
StepGraph<Precision>::StepGraph() = default;
template <class Precision>
StepGraph<Precision>::~StepGraph() = default;
template <class Precision>
void StepGraph<Precision>::launch(LoopLauncher, DeviceStream, const StepParts<Precision>&, int,
                                  const LibraryProduct<Precision>*) {
  throw_no_device("V-FPI loop");
}

template class StepGraph<DoublePrecision>;
template class StepGraph<MixedPrecision>;
template class StepGraph<FloatPrecision>;

}  // namespace nodia
