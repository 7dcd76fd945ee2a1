/// List of the device-only kernels around the V-FPI loop, compiled for the CPU: assembly into
/// columns, state between steps, solution.
#include "kernels/cpu/run_items.hpp"
#include "kernels/step/assemble_planes.hpp"
#include "kernels/step/carry_state.hpp"
#include "kernels/step/gather_nodes.hpp"
#include "kernels/vfpi/control_ends.hpp"
#include "kernels/vfpi/environment.hpp"
#include "kernels/vfpi/take_solutions.hpp"

namespace nodia {

using Compiler = KernelCompiler<NODIA_KERNEL_ISA>;

#define NODIA_COMPILE(Precision)                                             \
  template void launch_planes(Compiler&&, const PlanesAssembly<Precision>&); \
  template void launch_advance(Compiler&&, const StateCarry<Precision>&);    \
  template void launch_start(Compiler&&, const StateCarry<Precision>&);      \
  NODIA_RUN_ITEMS(TakeSolutions<Precision>);                                 \
  NODIA_RUN_ITEMS(GatherNodes<Precision>);
NODIA_FOR_EACH_PRECISION(NODIA_COMPILE)

NODIA_RUN_ITEMS(GatherControlEnds);

}  // namespace nodia
