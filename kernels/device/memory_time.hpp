/// Times in which the device reads and copies memory, without CUDA types. Both functions throw
/// RuntimeError if there is no device.
#pragma once

#include <cstddef>

namespace nodia {

/// Time in which the device reads `bytes` once [s], launch excluded. A set that fits the
/// second-level cache is read from it.
double device_read_time_s(std::size_t bytes);

/// Time of a copy that moves `bytes` in all [s], launch excluded: half of them read, the other half
/// written.
double device_copy_time_s(std::size_t bytes);

}  // namespace nodia
