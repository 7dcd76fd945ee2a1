/// Checked host backend. It defines the declarations of kernels/device for programs that link
/// nodia_checked_host, and runs kernels by the CPU's launcher or by the race detector. The
/// host's part is the real code: uploads, downloads, and the decision when to record the loop. A
/// recording is replayed unchanged; therefore an outdated one gives wrong results here as well.
///
/// Fresh and freed memory contain kCheckedHostPoison. Freed memory is retained for a while, so that
/// dangling pointers read the poison. A copy outside one allocation throws RuntimeError; so does
/// synchronize_device after a write beside an allocation or to freed memory. Downloads into pinned
/// memory become visible only after a wait.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/stopwatch.hpp"

namespace nodia {

class RaceDetector;  // tests/devices/race_detector/launcher.hpp

/// Value of every byte: floats become NaN, signed integers -1.
inline constexpr int kCheckedHostPoison = 0xff;
inline constexpr std::size_t kCheckedHostMemoryBytes = std::size_t{1} << 30;

/// Faults to inject while the device is idle, and counters; one device per process.
struct CheckedHost {
  std::string name = "checked host backend";  ///< name of the device in describe_device
  RaceDetector* detector = nullptr;           ///< runs the kernels instead of the CPU's launcher
  std::string unrecorded_kernel;      ///< recording a launch of this kernel throws RuntimeError
  std::string dropped_kernel;         ///< launches of this kernel do nothing
  std::string faulty_kernel;          ///< a launch of it fails, with fail_on_checked_host
  std::int64_t last_allocation = -1;  ///< last one that succeeds; -1: no limit
  std::size_t largest_allocation = kCheckedHostMemoryBytes;  ///< largest allocation that succeeds
                                                             ///< [bytes]
  bool has_pages = true;      ///< whether PinnedMemory can be allocated
  bool records_loops = true;  ///< result of can_record_loops
  /// One string per completed recording: blocks of the launches whose items are counted on the
  /// device, names of the kernels in their order, blocks of the other launches.
  std::vector<std::string> recordings;
  std::atomic<std::int64_t> n_allocation = 0;
  std::atomic<std::int64_t> n_on_null_stream = 0;          ///< copies and waits
  std::atomic<std::int64_t> bytes_up = 0, bytes_down = 0;  ///< copied from and to the host
  std::atomic<std::int64_t> n_copy = 0;                    ///< between host and device
  std::atomic<std::int64_t> n_launch = 0;                  ///< kernel launches by the host
  std::atomic<std::int64_t> n_graph_launch = 0;
  std::atomic<std::int64_t> n_wait = 0;  ///< waits of the host for a stream, also in copies
  std::atomic<double> copy_s = 0;        ///< time of the copies [s]
  /// Time of the device's own work: kernels, copies on the device, clearing of memory, and the
  /// checks of the backend [s].
  std::atomic<double> own_s = 0;
};
CheckedHost& checked_host();

/// Adds its lifetime to CheckedHost::own_s.
class CheckedHostOwnTime {
 public:
  CheckedHostOwnTime() = default;
  CheckedHostOwnTime(const CheckedHostOwnTime&) = delete;
  CheckedHostOwnTime& operator=(const CheckedHostOwnTime&) = delete;
  ~CheckedHostOwnTime() { checked_host().own_s += watch_.seconds(); }

 private:
  Stopwatch watch_;
};

/// Adds to CheckedHost::recordings; thread-safe.
void note_checked_host_recording(std::string kernels);

/// Reports a kernel fault; the next launch and the next synchronize_device throw it.
void fail_on_checked_host(const std::string& fault);
/// Throws RuntimeError `what: fault` if a kernel has failed since the last wait.
void report_fault_on_checked_host(const std::string& what);

}  // namespace nodia
