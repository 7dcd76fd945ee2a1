/// The CUDA devices of this machine, seen from the host without CUDA types. In a build without a
/// CUDA side there are none.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace nodia {

struct DeviceDescription {
  std::string name;
  int compute_major = 0, compute_minor = 0;  ///< compute capability
  int n_multiprocessor = 0;
  std::size_t memory_bytes = 0;
  int driver = 0, toolkit = 0;  ///< CUDA that the driver has and that the build is of: 1000 major +
                                ///< 10 minor
};

/// True if the CUDA side was compiled into this build.
bool is_built_with_cuda();

/// Whether kernels can run here; if not, `reason` (may be null) says why, in words.
bool device_available(std::string* reason);

/// 0 where device_available is false.
int device_count();

/// The calling thread's; needs one.
int current_device();

/// Throws RuntimeError where there is no device, InputError `key = value (must be ...)` unless
/// 0 <= device < device_count().
void require_device(const std::string& key, int device);

/// Makes a device the calling thread's. Afterwards a thread that worked on a device has that one
/// again; one that worked on none keeps this one, and no memory is taken on another.
class DeviceScope {
 public:
  /// @throws what require_device does
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

/// A profiler that was started with `ncu --profile-from-start off` profiles the kernels from here
/// on. Without a profiler this does nothing.
void start_profiler();

/// Whether a fault of a kernel has ended all work of this process on the calling thread's device,
/// which begins anew with the program alone.
bool device_is_lost();

/// Whether device memory is the host's, as that of the emulated device.
bool device_memory_is_the_hosts();

/// Free memory of the calling thread's device; 0 where there is none.
std::size_t device_free_bytes();

/// Throws InputError unless 0 <= device < device_count().
DeviceDescription describe_device(int device);

/// Whether the driver has what a recorded loop needs (LoopLauncher); if not, `reason` (may be null)
/// says why, in words.
bool can_record_loops(std::string* reason);

}  // namespace nodia
