/// A device in the host's memory. It defines what kernels/device declares, for a program that links
/// nodia_emulated_device, and runs kernels by the CPU's launcher, or by one that mimics a device's.
/// What the host does for a device is the real code: uploads, downloads, when the loop is recorded;
/// and a recording is replayed as it was made, so that one that no longer serves gives wrong
/// answers here as well.
///
/// Fresh memory and freed memory hold kEmulatedPoison. Freed memory is held back for a while, so
/// that a pointer kept too long finds the poison. A copy outside one allocation throws
/// RuntimeError; so does synchronize_device after a write beside an allocation or to freed memory.
/// What is fetched into pinned memory is there after a wait for it, and no sooner.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/core/stopwatch.hpp"

namespace nodia {

class MimicLauncher;  // tests/devices/race_detector/launcher.hpp

/// Every byte: every float is a NaN, every signed integer -1.
inline constexpr int kEmulatedPoison = 0xff;
inline constexpr std::size_t kEmulatedMemoryBytes = std::size_t{1} << 30;

/// Faults to plant while nobody works on the device, and what happened so far; one device a
/// process.
struct EmulatedDevice {
  MimicLauncher* mimic = nullptr;  ///< runs the kernels in the place of the CPU's launcher
  std::string unrecorded_kernel;   ///< recording a launch of this kernel throws RuntimeError
  std::string dropped_kernel;      ///< launches of this kernel do nothing
  std::string faulty_kernel;  ///< a launch of this kernel fails: told by fail_on_emulated_device
  bool is_lost = false;       ///< what device_is_lost says, as after a fault of a GPU
  std::int64_t last_allocation = -1;  ///< the device has no room for more; -1: it has
  std::size_t largest_allocation = kEmulatedMemoryBytes;  ///< it has room for [bytes]
  bool has_pages = true;                                  ///< PinnedMemory can be had
  bool records_loops = true;                              ///< can_record_loops
  /// Of each recording that was made to its end: blocks of the launches whose items are counted on
  /// the device, its kernels' names in their order, the blocks of others.
  std::vector<std::string> recordings;
  std::atomic<std::int64_t> n_allocation = 0;
  std::atomic<std::int64_t> n_on_null_stream = 0;          ///< copies and waits
  std::atomic<std::int64_t> bytes_up = 0, bytes_down = 0;  ///< of copies from and to the host
  std::atomic<std::int64_t> n_copy = 0;                    ///< between host and device
  std::atomic<std::int64_t> n_launch = 0;                  ///< of kernels by the host
  std::atomic<std::int64_t> n_graph_launch = 0;
  std::atomic<std::int64_t> n_wait = 0;  ///< of the host for a stream, in copies too
  std::atomic<double> copy_s = 0;        ///< time of them [s]
  /// Time of what a device does by itself: kernels, copies on it, memory cleared, what the
  /// emulation checks [s].
  std::atomic<double> own_s = 0;
};
EmulatedDevice& emulated_device();

/// Adds the time of its life to EmulatedDevice::own_s.
class EmulatedOwnTime {
 public:
  EmulatedOwnTime() = default;
  EmulatedOwnTime(const EmulatedOwnTime&) = delete;
  EmulatedOwnTime& operator=(const EmulatedOwnTime&) = delete;
  ~EmulatedOwnTime() { emulated_device().own_s += watch_.seconds(); }

 private:
  Stopwatch watch_;
};

/// Adds to EmulatedDevice::recordings, whoever else records.
void note_emulated_recording(std::string kernels);

/// A kernel did what the device cannot: told by the next launch and by the next synchronize_device.
void fail_on_emulated_device(const std::string& fault);
/// Throws RuntimeError `what: fault` where a kernel failed that nobody has waited for since.
void tell_fault_on_emulated_device(const std::string& what);

}  // namespace nodia
