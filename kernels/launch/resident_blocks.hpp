/// How many blocks of a kernel a multiprocessor should hold.
#pragma once

namespace nodia {

/// Blocks of a kernel that a multiprocessor must have registers for: its kLeastResidentBlocks,
/// where it has that; 0: as the compiler finds best.
template <class Kernel>
constexpr int least_resident_blocks() {
  if constexpr (requires { Kernel::kLeastResidentBlocks; })
    return Kernel::kLeastResidentBlocks;
  else
    return 0;
}

}  // namespace nodia
