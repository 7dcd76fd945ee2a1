#include "kernels/newton/device/device_smoothing.hpp"

#include "kernels/device/checked_launcher.hpp"
#include "kernels/device/device_launcher.cuh"

namespace nodia {

void smooth_on_device(const SmoothingView* view, int n_row, int n_single, int n_times,
                      DeviceStream stream, bool checked) {
  for (int k = 0; k < n_times; ++k)
    launch_smoothing<false>(CheckedLauncher(DeviceLauncher(stream), stream, checked), view, 1,
                            n_row, n_single);
}

}  // namespace nodia
