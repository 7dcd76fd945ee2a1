#include "kernels/device/checked_launcher.hpp"
#include "kernels/emulated/recorder.hpp"
#include "kernels/newton/device/device_smoothing.hpp"

namespace nodia {

void smooth_on_device(const SmoothingView* view, int n_row, int n_single, int n_times,
                      DeviceStream stream, bool checked) {
  for (int k = 0; k < n_times; ++k)
    launch_smoothing<false>(CheckedLauncher(EmulatedLauncher{stream}, stream, checked), view, 1,
                            n_row, n_single);
}

}  // namespace nodia
