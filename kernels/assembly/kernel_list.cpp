/// The kernels of the assembly on the CPU.
#include "kernels/assembly/assemble.hpp"
#include "kernels/cpu/run_items.hpp"

namespace nodia {

NODIA_RUN_ITEMS(EvaluateTets);
NODIA_RUN_ITEMS(MeasureTets);
NODIA_RUN_ITEMS(AssembleRows);
NODIA_RUN_ITEMS(GatherForces);

}  // namespace nodia
