/// List of the device-only kernels of the detection, compiled for the CPU.
#include "kernels/collision/paired_surfaces.hpp"
#include "kernels/cpu/run_items.hpp"

namespace nodia {

using Compiler = KernelCompiler<NODIA_KERNEL_ISA>;
template void launch_find_pairs(Compiler&&, const PairedSurfaces&);
template void launch_tunnelling(Compiler&&, const PairedSurfaces&);

}  // namespace nodia
