/// The machine that results were made on.
#pragma once

#include <cstddef>
#include <string>

namespace nodia {

struct Machine {
  std::string cpu;  ///< model name of /proc/cpuinfo, "unknown" where it has none
  int cores = 0;    ///< logical processors this process may use
  std::string os;   ///< system, release and architecture, as in uname
};

Machine this_machine();

/// What decides, beside the build, which functions of the C library run: vendor and family of the
/// CPU, and the C library's release. Equal bits are promised where it is equal.
std::string cpu_family();

/// Memory that this process can still take without swapping: what the kernel deems available and
/// what a control group of this process leaves.
std::size_t available_memory_bytes();

}  // namespace nodia
