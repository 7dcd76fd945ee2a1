#include "kernels/device/absent.hpp"
#include "kernels/vfpi/device/device_vfpi.hpp"

namespace nodia {

template <class Precision>
struct DeviceVfpi<Precision>::Impl {};
template <class Precision>
DeviceVfpi<Precision>::DeviceVfpi() = default;
template <class Precision>
DeviceVfpi<Precision>::~DeviceVfpi() = default;
template <class Precision>
VfpiTimes DeviceVfpi<Precision>::run(LoopLauncher, DeviceStream, const ScheduleKey&,
                                     const VfpiBatch<Precision>*, VfpiQueue*, int,
                                     const LibraryProduct<Precision>*) {
  throw_no_device("V-FPI loop");
}

template class DeviceVfpi<DoublePrecision>;
template class DeviceVfpi<MixedPrecision>;
template class DeviceVfpi<FloatPrecision>;

}  // namespace nodia
