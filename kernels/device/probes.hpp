/// What the design assumes of a CUDA device, measured: barriers, launches, bandwidths. Seen from
/// the host without CUDA types; every function throws RuntimeError where there is no device.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace nodia {

struct DeviceProbe {
  std::string name;
  std::string unit;
  std::string meaning;
  double value = 0;             ///< NaN where skipped
  std::string skipped_because;  ///< empty where measured
};

/// All probes of the current device, medians of several runs. Takes some seconds.
std::vector<DeviceProbe> probe_device();

/// Time in which the device reads `bytes` once [s], launch excluded. A set that fits the
/// second-level cache is read from it.
double device_read_time_s(std::size_t bytes);

/// Time of a copy that moves `bytes` in all [s], launch excluded: half of them read, the other half
/// written.
double device_copy_time_s(std::size_t bytes);

}  // namespace nodia
