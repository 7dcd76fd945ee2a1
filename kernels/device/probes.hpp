/// What the design assumes of a CUDA device, measured: barriers, launches, graphs, copies,
/// bandwidths. Seen from the host without CUDA types; every function throws RuntimeError where
/// there is no device.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace nodia {

struct DeviceProbe {
  std::string name;
  std::string unit;
  std::string meaning;
  double value = 0;             ///< NaN where skipped or failed
  std::string skipped_because;  ///< empty where it could be tried
  std::string failed_because;   ///< empty where the device reported no error
};

/// All probes of the current device, medians of several runs; takes some seconds. One that fails
/// does not end the others.
/// @param listener  called after each probe
void probe_device(const std::function<void(const DeviceProbe&)>& listener);

/// Time in which the device reads `bytes` once [s], launch excluded. A set that fits the
/// second-level cache is read from it.
double device_read_time_s(std::size_t bytes);

/// Time of a copy that moves `bytes` in all [s], launch excluded: half of them read, the other half
/// written.
double device_copy_time_s(std::size_t bytes);

}  // namespace nodia
