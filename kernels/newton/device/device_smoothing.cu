#include "kernels/newton/device/device_smoothing.hpp"

#include "kernels/device/device_backend.cuh"

namespace nodia {

void smooth_on_device(const SmoothingView* view, int n_row, int n_single, int n_times,
                      DeviceQueue queue) {
  for (int k = 0; k < n_times; ++k)
    launch_smoothing<false>(launcher_in(queue), view, 1, n_row, n_single);
}

}  // namespace nodia
