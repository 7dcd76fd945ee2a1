/// Error message of a failed allocation of device memory.
#include "kernels/device/device_memory.hpp"

#include <fmt/format.h>

#include "kernels/core/error.hpp"

namespace nodia {

void throw_no_room(std::size_t asked, std::size_t free) {
  throw RuntimeError(fmt::format(
      "device memory: {:.3f} GB asked for, {:.3f} GB free (take a smaller mesh or batch, another "
      "--device, or the CPU)",
      1e-9 * static_cast<double>(asked), 1e-9 * static_cast<double>(free)));
}

}  // namespace nodia
