/// Number of blocks of a kernel that a multiprocessor should hold.
#pragma once

namespace nodia {

/// Blocks of a kernel for which a multiprocessor must have registers: kLeastResidentBlocks of the
/// kernel, or 0 (the compiler decides).
template <class Kernel>
constexpr int least_resident_blocks() {
  if constexpr (requires { Kernel::kLeastResidentBlocks; })
    return Kernel::kLeastResidentBlocks;
  else
    return 0;
}

}  // namespace nodia
