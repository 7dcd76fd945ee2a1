/// Measures what the design assumes about a CUDA device: memory order of tickets, barriers,
/// launches, graphs, copies, bandwidths. Seen from the host without CUDA types; every function
/// throws RuntimeError if there is no device.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace nodia {

struct DeviceProbe {
  std::string name;
  std::string unit;
  std::string meaning;
  double value = 0;             ///< NaN if there is none
  std::string skipped_because;  ///< empty if it could be tried
  std::string failed_because;   ///< empty if neither the device nor the probe found an error
};

/// All probes of the current device, medians of several runs, tickets first. A probe that fails
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
