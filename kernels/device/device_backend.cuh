/// What the launch sources of the algorithms are written against: a backend that runs kernels.
///
/// nvcc compiles a launch source for CUDA devices. A C++ compiler compiles the same source for the
/// backend whose header NODIA_DEVICE_BACKEND names. That header defines all of
///
///   KernelLauncher                  launches kernels in the order of a stream, and waits for
///                                   each if its queue says so
///   launcher_in(queue, n_block)     one; launches over items that are counted in the backend's
///                                   memory have n_block blocks at most
///   what device_recording.cuh and device_arrays.cuh define for CUDA
#pragma once

#if defined(NODIA_DEVICE_BACKEND)
#include NODIA_DEVICE_BACKEND
#else
#include "kernels/device/device_launcher.cuh"

namespace nodia {

using KernelLauncher = DeviceLauncher;

inline KernelLauncher launcher_in(DeviceQueue queue, int n_block = 1) {
  return DeviceLauncher(queue, n_block);
}

}  // namespace nodia

#endif
