/// What the launch sources of the algorithms are written against: a backend that runs kernels.
///
/// nvcc compiles a launch source for CUDA devices. A C++ compiler compiles the same source for the
/// backend whose header NODIA_DEVICE_BACKEND names. That header defines all of
///
///   KernelLauncher                  launches kernels in the order of a stream
///   launcher_in(stream, n_block)    one; launches over items that are counted in the backend's
///                                   memory have n_block blocks at most
///   what device_recording.cuh and device_arrays.cuh define for CUDA
#pragma once

#if defined(NODIA_DEVICE_BACKEND)
#include NODIA_DEVICE_BACKEND
#else
#include "kernels/device/device_launcher.cuh"
#endif

#include "kernels/device/checked_launcher.hpp"

namespace nodia {

#if !defined(NODIA_DEVICE_BACKEND)
using KernelLauncher = DeviceLauncher;

inline KernelLauncher launcher_in(DeviceStream stream, int n_block = 1) {
  return DeviceLauncher(stream, n_block);
}
#endif

/// @param checked  waits for every kernel, so that the error of a fault names the kernel
inline CheckedLauncher<KernelLauncher> checked_launcher_in(DeviceStream stream, bool checked) {
  return {launcher_in(stream), stream, checked};
}

}  // namespace nodia
