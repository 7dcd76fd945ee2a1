#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/vfpi_graph.hpp"

namespace nodia {

template <class Precision>
struct VfpiGraph<Precision>::Impl {};
template <class Precision>
VfpiGraph<Precision>::VfpiGraph() = default;
template <class Precision>
VfpiGraph<Precision>::~VfpiGraph() = default;
template <class Precision>
VfpiTimes VfpiGraph<Precision>::run(const ScheduleKey&, const VfpiBatch<Precision>*, VfpiQueue*,
                                    int) {
  throw_no_device("V-FPI loop");
}

template class VfpiGraph<DoublePrecision>;
template class VfpiGraph<MixedPrecision>;
template class VfpiGraph<FloatPrecision>;

}  // namespace nodia
