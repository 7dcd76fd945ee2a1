#include "kernels/device/absent.hpp"
#include "kernels/newton/device/device_smoothing.hpp"

namespace nodia {

void smooth_on_device(const SmoothingView*, int, int, int, DeviceStream, bool) {
  throw_no_device("smoothing");
}

}  // namespace nodia
