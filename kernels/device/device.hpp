/// CUDA devices of this machine, without CUDA types. A build without CUDA has no device.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace nodia {

struct DeviceDescription {
  std::string name;
  int compute_major = 0, compute_minor = 0;  ///< CUDA compute capability
  int n_multiprocessor = 0;
  std::size_t memory_bytes = 0;
};

/// True if the CUDA side was compiled into this build.
bool is_built_with_cuda();

/// True if kernels can run here; otherwise writes the reason (may be null).
bool device_available(std::string* reason);

/// Number of devices; 0 if device_available is false.
int device_count();

/// Device of the calling thread. Needs a device.
int current_device();

/// Throws RuntimeError if there is no device, InputError `key = value (must be ...)` unless 0 <=
/// device < device_count().
void require_device(const std::string& key, int device);

/// Selects a device for the calling thread and restores the earlier one at the end. A thread that
/// used no device before keeps this one; no memory is allocated on another device.
class DeviceScope {
 public:
  /// @throws the errors of require_device
  explicit DeviceScope(int device);
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;
  ~DeviceScope() {
    if (before_) go_back(*before_);
  }

 private:
  static void go_back(int device) noexcept;

  std::optional<int> before_;
};

/// Starts profiling under `ncu --profile-from-start off`. Does nothing without a profiler.
void start_profiler();

/// True if device memory is host memory, as on the checked host backend.
bool device_memory_is_the_hosts();

/// Free memory of the calling thread's device [bytes]; 0 without a device.
std::size_t device_free_bytes();

/// Throws InputError unless 0 <= device < device_count().
DeviceDescription describe_device(int device);

/// True if the driver can record loops (LoopLauncher); otherwise writes the reason (may be null).
bool can_record_loops(std::string* reason);

}  // namespace nodia
