/// Smoothing on the device, in a form without CUDA types for the host.
#pragma once

#include "kernels/device/stream.hpp"
#include "kernels/newton/smoothing.hpp"

namespace nodia {

/// Enqueues launch_smoothing n_times on the stream, for one environment with single contacts only.
/// @param view  in device memory
void smooth_on_device(const SmoothingView* view, int n_row, int n_single, int n_times,
                      DeviceQueue queue);

}  // namespace nodia
