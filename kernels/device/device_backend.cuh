/// Backend interface of the launch sources of the algorithms.
///
/// nvcc compiles a launch source for CUDA devices. A C++ compiler compiles the same source for the
/// backend whose header NODIA_DEVICE_BACKEND names. That header defines
///
///   KernelLauncher                  launches kernels in the order of a stream; waits for each if
///                                   its queue says so
///   launcher_in(queue, n_block)     makes a launcher; launches whose item count is in the
///                                   backend's memory have at most n_block blocks
///   all that device_recording.cuh and device_arrays.cuh define for CUDA
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
