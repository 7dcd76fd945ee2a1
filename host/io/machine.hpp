/// Machine on which results were computed.
#pragma once

#include <cstddef>
#include <string>

namespace nodia {

struct Machine {
  std::string cpu;  ///< model name of /proc/cpuinfo; "unknown" without one
  int cores = 0;    ///< logical processors that this process may use
  std::string os;   ///< system, release and architecture, as in uname
};

Machine this_machine();

/// Vendor and family of the CPU, and the release of the C library. Beside the build, they determine
/// which functions of the C library run. Results have equal bits if they are equal.
std::string cpu_family();

/// Memory that this process can allocate without swapping: the available memory of the kernel,
/// within the limit of the control group.
std::size_t available_memory_bytes();

}  // namespace nodia
