/// The kernels of the V-FPI loop, of the assembly into its planes and between steps on the CPU, for
/// one instruction set: every one that is launched, found by what launches them.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/assemble_planes.hpp"
#include "kernels/vfpi/carry_state.hpp"
#include "kernels/vfpi/schedule.hpp"

namespace nodia {

template class VfpiSchedule<DoublePrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<MixedPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;
template class VfpiSchedule<FloatPrecision, KernelCompiler<NODIA_KERNEL_ISA>>;

using Compiler = KernelCompiler<NODIA_KERNEL_ISA>;
template void launch_planes(Compiler&&, const PlanesAssembly<DoublePrecision>&);
template void launch_planes(Compiler&&, const PlanesAssembly<MixedPrecision>&);
template void launch_planes(Compiler&&, const PlanesAssembly<FloatPrecision>&);
template void launch_advance(Compiler&&, const StateCarry<DoublePrecision>&);
template void launch_advance(Compiler&&, const StateCarry<MixedPrecision>&);
template void launch_advance(Compiler&&, const StateCarry<FloatPrecision>&);
template void launch_start(Compiler&&, const StateCarry<DoublePrecision>&);
template void launch_start(Compiler&&, const StateCarry<MixedPrecision>&);
template void launch_start(Compiler&&, const StateCarry<FloatPrecision>&);

}  // namespace nodia
