/// A device in the host's memory. It defines what kernels/device declares, for a program that links
/// nodia_emulated_device, and runs kernels by the CPU's launcher. What the host does for a device
/// is the real code: uploads, downloads, when the loop is recorded; and a recording is replayed as
/// it was made, so that one that no longer serves gives wrong answers here as well.
///
/// Fresh memory and freed memory hold kEmulatedPoison. Freed memory is held back for a while, so
/// that a pointer kept too long finds the poison. A copy outside one allocation throws
/// RuntimeError; so does synchronize_device after a write beside an allocation or to freed memory.
#pragma once

#include <cstdint>
#include <string>

namespace nodia {

/// Every byte: every float is a NaN, every signed integer -1.
inline constexpr int kEmulatedPoison = 0xff;

/// Faults to plant, and what happened so far; one device a process.
struct EmulatedDevice {
  std::string unrecorded_kernel;  ///< recording a launch of this kernel throws RuntimeError
  std::string dropped_kernel;     ///< launches of this kernel do nothing
  std::int64_t n_recording = 0;   ///< recordings of a loop that were made to their end
  std::int64_t n_body = 0;        ///< bodies of loops
  std::int64_t n_allocation = 0;
};
EmulatedDevice& emulated_device();

}  // namespace nodia
