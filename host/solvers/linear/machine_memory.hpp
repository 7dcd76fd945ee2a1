/// Rejects dense matrices that exceed the machine's memory before they are allocated.
#pragma once

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "kernels/core/error.hpp"

namespace nodia {

/// @param what  the subject of the message
/// @throws RuntimeError if n_byte is more than half of the machine's memory
inline void require_memory(double n_byte, const std::string& what) {
  const double total =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (n_byte > total / 2)
    throw RuntimeError(fmt::format(
        "{} needs {:.1f} GB of memory, more than half of the machine's; use the solver cond or "
        "fewer contacts",
        what, n_byte / 1e9));
}

}  // namespace nodia
