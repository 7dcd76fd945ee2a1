/// Smoothing on the device, seen from the host without CUDA types.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

/// launch_smoothing of one environment without coupled contacts, n_times, in the stream.
/// @param view  in device memory
void smooth_on_device(const SmoothingView* view, int n_row, int n_single, int n_times,
                      DeviceQueue queue);

}  // namespace nodia
