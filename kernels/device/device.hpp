/// The CUDA devices of this machine, seen from the host without CUDA types. In a build without a
/// CUDA side there are none.
#pragma once

#include <cstddef>
#include <string>

namespace nodia {

struct DeviceDescription {
  std::string name;
  int compute_major = 0, compute_minor = 0;  ///< compute capability
  int n_multiprocessor = 0;
  std::size_t memory_bytes = 0;
};

/// Whether kernels can run here; if not, `reason` (may be null) says why, in words.
bool device_available(std::string* reason);

/// 0 where device_available is false.
int device_count();

/// Free memory of the current device; 0 where there is none.
std::size_t device_free_bytes();

/// Throws InputError unless 0 <= device < device_count().
DeviceDescription describe_device(int device);

}  // namespace nodia
