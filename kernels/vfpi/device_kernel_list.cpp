/// The kernels around the V-FPI loop that only a device launches, compiled for the CPU: the
/// assembly into planes, the state between steps, and the product of a library.
#include "kernels/cpu/run_items.hpp"
#include "kernels/vfpi/assemble_planes.hpp"
#include "kernels/vfpi/carry_state.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/library/library_gradient.hpp"

namespace nodia {

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

NODIA_RUN_ITEMS(GatherForLibrary<DoublePrecision>);
NODIA_RUN_ITEMS(GatherForLibrary<MixedPrecision>);
NODIA_RUN_ITEMS(GatherForLibrary<FloatPrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<DoublePrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<MixedPrecision>);
NODIA_RUN_ITEMS(GradientByLibrary<FloatPrecision>);

}  // namespace nodia
