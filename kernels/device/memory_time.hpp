/// Measured times of memory accesses of the device, without CUDA types. Both functions throw
/// RuntimeError if there is no device.
#pragma once

#include <cstddef>

namespace nodia {

/// Time to read `bytes` once [s], without the launch. A set that fits the L2 cache is read from it.
double device_read_time_s(std::size_t bytes);

/// Time of a copy that moves `bytes` in total [s], half read, half written, without the launch.
double device_copy_time_s(std::size_t bytes);

}  // namespace nodia
